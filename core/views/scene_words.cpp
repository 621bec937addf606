#include "core/views/scene_words.h"

#include "core/views/panel_words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <memory>

namespace attention {
namespace {

// For the picture of one view, ignoring what is looked at one by one.
bool sameSubject(const Scene& a, const Scene& b, View of) {
  Scene looked = a;
  looked.view = b.view; // one looks and comes back
  looked.about = b.about;
  const ViewUnit& unit = unitOf(of);
  if (!unit.drawsOwnPattern(a))
    looked.pattern = b.pattern;
  if (!unit.takesInput(a)) { // with its head, the length and the labels
    looked.length = b.length;
    looked.labels = b.labels;
    looked.input = b.input;
  }
  takeOtherViews(looked, of, b);
  if (unit.ignoreLooks)
    unit.ignoreLooks(looked, b);
  return sameDocument(looked, b);
}

// Whether a view's picture shows the same thing, whatever its numbers.
bool sameKind(const Scene& a, const Scene& b, View of) {
  const ViewUnit& unit = unitOf(of);
  const auto sameMechanisms = [](const std::vector<Panel>& x, const std::vector<Panel>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Panel& p, const Panel& q) {
      return sameMechanism(p.pattern, q.pattern);
    });
  };
  const std::vector<Panel> panels = unit.panels ? unit.panels(a) : std::vector<Panel>();
  if (unit.panels && !sameMechanisms(panels, unit.panels(b)))
    return false;
  const bool own = unit.choosesPattern && unit.drawsOwnPattern(a) && panels.empty();
  if (own && !sameMechanism(a.pattern, b.pattern))
    return false;
  return !unit.sameKind || unit.sameKind(a, b);
}

// Whether the title names a number that the pictures of that view no longer have.
bool isStaleTitle(const Scene& edited, const Scene& own, View of) {
  const auto drawnIn = [of](Scene scene) {
    scene.view = of;
    return drawnPatterns(scene);
  };
  const std::vector<Panel> now = drawnIn(edited);
  const std::vector<Panel> before = drawnIn(own);
  for (std::size_t k = 0; k < std::min(now.size(), before.size()); ++k)
    if (tellsChanged(own.title, before[k].pattern, now[k].pattern))
      return true;
  return false;
}

void dropStalePanelWords(Scene& edited, const Scene& own) {
  dropStaleWords(edited.mask.panels, own.mask.panels);
  dropStaleWords(edited.reach.stack, own.reach.stack);
  dropStaleWords(edited.reach.beside, own.reach.beside);
  dropStaleWords(edited.compare.patterns, comparedOf(own.compare));
}

void clearIfSame(std::string& edited, const std::string& own) {
  if (edited == own)
    edited.clear();
}

} // namespace

SceneWords wordsOf(const Scene& scene) {
  if (scene.about && *scene.about != scene.view)
    return {};
  return {scene.title, scene.caption, scene.source};
}

Scene inOwnWords(Scene scene) {
  if (!scene.about || *scene.about == scene.view)
    return scene;
  scene.title.clear();
  scene.caption.clear();
  scene.source.clear();
  scene.about.reset();
  return scene;
}

bool isPublished(const Scene& scene) {
  return !scene.paper.empty() && !wordsOf(scene).source.empty();
}

void dropStaleWords(Scene& edited, const Scene& own) {
  const bool another = edited.title != own.title || edited.source != own.source;
  const View of = own.about.value_or(own.view);
  const bool sourced = !own.source.empty() || !own.paper.empty();
  if (sourced && !another && !sameKind(edited, own, of)) {
    clearIfSame(edited.caption, own.caption);
    edited.title.clear();
    edited.source.clear();
    edited.paper.clear();
    edited.about.reset();
  }
  if (edited.caption == own.caption && tellsNumbers(edited.caption) &&
      !sameSubject(edited, own, of))
    edited.caption.clear();
  if (edited.title == own.title && isStaleTitle(edited, own, of))
    edited.title.clear();
  if (!another)
    dropStalePanelWords(edited, own);
  const bool says = !(edited.title + edited.caption + edited.source).empty();
  if (says && !another && edited.view != own.view)
    edited.about = of;
  if (!says || edited.about == edited.view)
    edited.about.reset();
}

void keepCommonWords(Scene& scene, const Scene& other) {
  if (other.title.empty())
    scene.title.clear();
  if (other.caption.empty())
    scene.caption.clear();
  keepCommonWords(scene.mask.panels, other.mask.panels);
  keepCommonWords(scene.reach.stack, other.reach.stack);
  keepCommonWords(scene.reach.beside, other.reach.beside);
  keepCommonWords(scene.compare.patterns, other.compare.patterns);
}

Figure inWordsOf(const Scene& scene, Figure figure) {
  const SceneWords said = wordsOf(scene);
  if (!said.title.empty())
    figure.title = said.title;
  if (!said.caption.empty())
    figure.caption = said.caption;
  if (!said.source.empty())
    figure.source = "Source: " + said.source;
  if (figure.fallback)
    figure.fallback = std::make_shared<const Figure>(inWordsOf(scene, *figure.fallback));
  return figure;
}

void addToCaption(Figure& figure, const std::string& sentence) {
  figure.caption += (figure.caption.empty() ? "" : " ") + sentence;
}

} // namespace attention
