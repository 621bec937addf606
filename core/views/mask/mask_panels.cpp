#include "core/views/mask/shown_masks.h"

#include "core/pattern/heads.h"
#include "core/pattern/mechanism/composed.h"
#include "core/scene/pattern_files.h"
#include "core/support/error.h"
#include "core/support/number_text.h"

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
    return {{"each of " + countText(heads.size(), "head"), heads.front()}};
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

HeadOptions optionsOf(const HeadsSpec& spec) {
  return {spec.heads, spec.alternate, spec.subblocks, spec.dilations};
}

} // namespace

std::vector<Panel> maskPanels(const Scene& scene, const Lengths& lengths) {
  if (!scene.mask.panels.empty())
    return titled(scene.mask.panels);
  const HeadsSpec& spec = scene.mask.heads;
  if (spec.shown == HeadsShown::One)
    return {{"", scene.pattern}};
  const std::vector<Pattern> heads = headPatternsOf(scene.pattern, optionsOf(spec), lengths.keys);
  if (spec.shown == HeadsShown::Merged)
    return {{"", merged(heads)}};
  return sideBySide(heads);
}

std::vector<std::string_view> parametersOfHeads(const Scene& scene) {
  const HeadsSpec& spec = scene.mask.heads;
  if (!scene.mask.panels.empty() || spec.shown == HeadsShown::One)
    return {};
  return setByHeads(scene.pattern, optionsOf(spec));
}

HeadsSpec withDifferingHeads(HeadsSpec spec, const Pattern& pattern, Index inFile) {
  if (inFile > 0)
    spec.heads = std::min(inFile, kMostHeadsShown);
  if (spec.heads < 1 || spec.heads > kMostHeads) // as an edit or a file may have left it
    return spec;
  if (headsRead(pattern, "alternate") && spec.subblocks == 1)
    spec.alternate = true;
  if (headsRead(pattern, "dilations") && spec.dilations.empty())
    for (Index head = 0; head < spec.heads; ++head)
      spec.dilations.push_back(head + 1);
  return spec;
}

} // namespace attention
