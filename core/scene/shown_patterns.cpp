#include "core/scene/shown_patterns.h"

#include "core/pattern/mechanism/composed.h"
#include "core/scene/kernels_reads.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

Pattern merged(const std::vector<Pattern>& heads) {
  std::vector<Pattern> different;
  for (const Pattern& head : heads)
    if (std::find(different.begin(), different.end(), head) == different.end())
      different.push_back(head);
  if (different.size() == 1)
    return different.front();
  return Compose(Operation::Union, std::move(different));
}

bool allSame(const std::vector<Pattern>& heads) {
  return std::all_of(heads.begin(), heads.end(),
                     [&](const Pattern& head) { return head == heads.front(); });
}

// Heads that are all the same are one picture.
std::vector<Panel> sideBySide(const std::vector<Pattern>& heads) {
  if (static_cast<Index>(heads.size()) > kMostHeadsShown)
    throwRange("heads", std::to_string(heads.size()),
               "at most " + std::to_string(kMostHeadsShown) + " side by side");
  if (heads.size() > 1 && allSame(heads))
    return {{"each of " + std::to_string(heads.size()) + " heads", heads.front()}};
  std::vector<Panel> panels;
  for (std::size_t head = 0; head < heads.size(); ++head)
    panels.push_back({"head " + std::to_string(head), heads[head]});
  return panels;
}

std::vector<Panel> titled(std::vector<Panel> panels) {
  std::vector<std::string> titles = titlesOf(panels);
  for (std::size_t k = 0; k < panels.size(); ++k)
    panels[k].title = std::move(titles[k]);
  return panels;
}

// Of the view's picture, in place of the Scene's pattern; null where the view has no panels.
template <class AnyScene>
auto* panelsOf(AnyScene& scene) {
  switch (scene.view) {
  case View::Mask:
    return &scene.mask.panels;
  case View::Reach:
    return &scene.reach.stack;
  case View::Compare:
    return &scene.compare.patterns;
  case View::Attention:
  case View::Kernels:
  case View::Hashing:
  case View::Timings:
  case View::Encodings:
    break;
  }
  return static_cast<decltype(&scene.mask.panels)>(nullptr);
}

// Which of the panels controls edit; null where it is the Scene's own pattern. What a comparison
// compares by default becomes its own.
Panel* editedPanel(Scene& scene) {
  if (scene.view == View::Compare) {
    scene.compare.patterns = comparedOf(scene.compare);
    return &scene.compare.patterns[chosenPlace(scene.compare)];
  }
  const auto layer = editedLayer(scene);
  return layer ? &scene.reach.stack[*layer] : nullptr;
}

} // namespace

std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths) {
  if (scene.view == View::Compare)
    return comparedPanels(scene.compare);
  if (!scene.mask.panels.empty())
    return titled(scene.mask.panels);
  const HeadsSpec& spec = scene.mask.heads;
  if (spec.shown == HeadsShown::One)
    return {{"", scene.pattern}};
  const std::vector<Pattern> heads = headPatternsOf(
      scene.pattern, {spec.heads, spec.alternate, spec.subblocks, spec.dilations}, lengths.keys);
  if (spec.shown == HeadsShown::Merged)
    return {{"", merged(heads)}};
  return sideBySide(heads);
}

bool readsPattern(const Scene& scene) {
  return takesInput(scene) && scene.view != View::Kernels;
}

bool drawsOwnPattern(const Scene& scene, View of) {
  const auto timesOwn = [](const std::vector<TimedMechanism>& mechanisms) {
    return std::any_of(mechanisms.begin(), mechanisms.end(), [](const TimedMechanism& mechanism) {
      return mechanism.kind == TimedMechanism::Kind::Own;
    });
  };
  switch (of) {
  case View::Mask:
    return scene.mask.panels.empty();
  case View::Reach:
    return scene.reach.stack.empty();
  case View::Attention:
    return true;
  case View::Hashing:
    return scene.hashing.picture != HashingPicture::Circle;
  case View::Timings:
    return scene.timings.mechanisms.empty() || timesOwn(scene.timings.mechanisms);
  case View::Compare:
    return timesOwn(scoredOf(scene.compare));
  case View::Kernels:
  case View::Encodings:
    break;
  }
  return false;
}

std::vector<Panel> drawnPatterns(const Scene& scene) {
  if (scene.view == View::Compare)
    return comparedOf(scene.compare);
  if (const auto* panels = panelsOf(scene); panels && !panels->empty())
    return *panels;
  if (scene.view == View::Timings || !drawsOwnPattern(scene, scene.view))
    return {};
  return {{"", scene.pattern}};
}

std::vector<Pattern*> drawnPatternsIn(Scene& scene) {
  if (scene.view == View::Compare)
    scene.compare.patterns = comparedOf(scene.compare);
  std::vector<Pattern*> patterns;
  if (auto* panels = panelsOf(scene))
    for (Panel& panel : *panels)
      patterns.push_back(&panel.pattern);
  if (patterns.empty() && !drawnPatterns(scene).empty())
    patterns.push_back(&scene.pattern);
  return patterns;
}

std::optional<std::size_t> editedLayer(const Scene& scene) {
  const ReachSpec& spec = scene.reach;
  if (scene.view != View::Reach || spec.stack.empty())
    return std::nullopt;
  const auto last = static_cast<Index>(spec.stack.size()) - 1;
  return static_cast<std::size_t>(std::clamp<Index>(spec.chosen, 0, last));
}

Pattern editedPattern(const Scene& scene) {
  if (scene.view == View::Compare)
    return comparedOf(scene.compare)[chosenPlace(scene.compare)].pattern;
  if (const auto layer = editedLayer(scene))
    return scene.reach.stack[*layer].pattern;
  return scene.pattern;
}

void setEditedPattern(Scene& scene, const Pattern& pattern) {
  Panel* panel = editedPanel(scene);
  (panel ? panel->pattern : scene.pattern) = pattern;
}

void replaceEditedPattern(Scene& scene, const Pattern& pattern, const std::string& title) {
  if (Panel* panel = editedPanel(scene)) {
    *panel = Panel{title, pattern};
    return;
  }
  scene.pattern = pattern;
  scene.mask.panels.clear();
}

void checkShown(const Scene& scene, Index keys) {
  LengthSpec spec = scene.length;
  spec.n = spec.n.value_or(keys);
  const Lengths lengths = lengthsOf(spec, 0);
  const bool masks = scene.view == View::Mask || scene.view == View::Compare;
  if (masks && currentImage(scene))
    imageShape(scene.mask.image, lengths.keys);
  for (const Panel& panel : masks ? shownPatterns(scene, lengths) : drawnPatterns(scene))
    check(panel.pattern, lengths);
}

bool takesInput(const Scene& scene) {
  switch (scene.view) {
  case View::Kernels:
    return scene.kernels.loaded && KernelsReads(scene.kernels).lengths;
  case View::Hashing:
    return scene.hashing.picture != HashingPicture::Circle;
  case View::Timings:
  case View::Encodings:
    return false;
  case View::Mask:
  case View::Reach:
  case View::Attention:
  case View::Compare:
    break;
  }
  return true;
}

WeightsShown currentWeights(const Scene& scene) {
  return scene.view == View::Compare ? WeightsShown::Off : scene.mask.weights;
}

bool currentImage(const Scene& scene) {
  return scene.view != View::Compare && scene.mask.image.shown;
}

} // namespace attention
