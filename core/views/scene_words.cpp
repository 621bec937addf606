#include "core/views/scene_words.h"

#include "core/scene/marked_words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <array>
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

// Neither numbers nor operands.
bool isChoice(ParameterType type) {
  using T = ParameterType;
  static constexpr std::array kAll{T::Boolean, T::BooleansOrOne, T::Choice, T::Text,
                                   T::Mask,    T::Matrix,        T::Strokes};
  return std::find(kAll.begin(), kAll.end(), type) != kAll.end();
}

// Whether they are the same but for numbers: mechanism and choices, of operands too.
bool sameRule(const Pattern& a, const Pattern& b) {
  const std::vector<const Pattern*> of = operandsOf(a);
  const std::vector<const Pattern*> others = operandsOf(b);
  const auto& parameters = description(a).parameters;
  return sameMechanism(a, b) &&
         std::equal(of.begin(), of.end(), others.begin(), others.end(),
                    [](const Pattern* x, const Pattern* y) { return sameRule(*x, *y); }) &&
         std::all_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
           return !isChoice(parameter.type) || parameter.given(a) == parameter.given(b);
         });
}

// Words belong to the panel that had the same ones, wherever it stands; new words belong to none.
template <class Words>
bool isStale(Words Panel::*words, const Panel& panel, const std::vector<Panel>& own) {
  const auto had = [&](const Panel& other) { return other.*words == panel.*words; };
  return std::any_of(own.begin(), own.end(), had) &&
         std::none_of(own.begin(), own.end(), [&](const Panel& other) {
           return had(other) && sameRule(other.pattern, panel.pattern);
         });
}

void dropStalePanelWords(std::vector<Panel>& edited, const std::vector<Panel>& own) {
  for (Panel& panel : edited) {
    if (isStale(&Panel::title, panel, own))
      panel.title.clear();
    if (isStale(&Panel::parts, panel, own))
      panel.parts.clear();
  }
}

std::string titleNow(const Scene& scene) {
  return wordsWith(scene.title, [&](const MarkedNumber& number) -> std::optional<std::string> {
    for (const Panel& panel : drawnPatterns(scene))
      if (auto now = numberNow(number, panel.pattern))
        return now;
    return std::nullopt;
  });
}

bool speaksElsewhere(const Scene& scene) {
  return scene.about && *scene.about != scene.view;
}

} // namespace

SceneWords wordsOf(const Scene& scene) {
  if (speaksElsewhere(scene))
    return {};
  return {titleNow(scene), scene.caption, scene.source};
}

std::string writtenTitle(const Scene& scene) {
  return speaksElsewhere(scene) ? std::string() : scene.title;
}

Scene inOwnWords(Scene scene) {
  if (!speaksElsewhere(scene))
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
  const bool otherKind = !another && !sameKind(edited, own, of);
  if (otherKind && (sourced || !numbersIn(own.title).empty()))
    edited.title.clear();
  if (otherKind && sourced) {
    edited.source.clear();
    edited.paper.clear();
    edited.about.reset();
  }
  if (!another && edited.caption == own.caption && !sameSubject(edited, own, of))
    edited.caption.clear();
  if (!another) {
    dropStalePanelWords(edited.mask.panels, own.mask.panels);
    dropStalePanelWords(edited.reach.stack, own.reach.stack);
    dropStalePanelWords(edited.reach.beside, own.reach.beside);
    dropStalePanelWords(edited.compare.patterns, comparedOf(own.compare));
  }
  const bool says = !(edited.title + edited.caption + edited.source).empty();
  if (says && !another && edited.view != own.view)
    edited.about = of;
  if (!says || edited.about == edited.view)
    edited.about.reset();
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
