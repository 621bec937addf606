#include "core/views/shown_patterns.h"

#include "core/views/view_unit.h"

namespace attention {
namespace {

// Views without masks of their own use those of the Mask view.
View viewOfMasks(const Scene& scene) {
  return unitOf(scene.view).masks ? scene.view : View::Mask;
}

// The view's own patterns in the Scene; its default ones become its own.
std::vector<Panel>& ownPanels(Scene& scene, const ViewUnit& unit) {
  std::vector<Panel> shown = unit.panels(scene);
  return unit.panelsIn(scene) = std::move(shown);
}

// The pattern of the view's own that controls edit; null if it is the Scene's.
Panel* editedPanel(Scene& scene) {
  const ViewUnit& unit = unitOf(scene.view);
  const auto place = unit.edited ? unit.edited(scene) : std::nullopt;
  return place ? &ownPanels(scene, unit)[*place] : nullptr;
}

} // namespace

std::vector<Panel> shownPatterns(const Scene& scene, const Lengths& lengths) {
  return unitOf(viewOfMasks(scene)).masks(scene, lengths);
}

Scene masksOnly(const Scene& scene) {
  Scene only;
  only.view = viewOfMasks(scene);
  unitOf(only.view).keepMasks(only, scene);
  return only;
}

bool takesInput(const Scene& scene) {
  return unitOf(scene.view).takesInput(scene);
}

bool choosesPattern(const Scene& scene) {
  const ViewUnit& unit = unitOf(scene.view);
  return unit.givesPattern || (unit.choosesPattern && takesInput(scene));
}

bool readsPattern(const Scene& scene) {
  const ViewUnit& unit = unitOf(scene.view);
  return choosesPattern(scene) && (unit.panels || unit.drawsOwnPattern(scene) || unit.givesPattern);
}

bool drawsOwnPattern(const Scene& scene, View of) {
  return unitOf(of).drawsOwnPattern(scene);
}

std::vector<Panel> drawnPatterns(const Scene& scene) {
  if (const auto panels = unitOf(scene.view).panels)
    if (std::vector<Panel> own = panels(scene); !own.empty())
      return own;
  if (!choosesPattern(scene) || !drawsOwnPattern(scene, scene.view))
    return {};
  return {{"", scene.pattern}};
}

std::vector<Pattern*> drawnPatternsIn(Scene& scene) {
  std::vector<Pattern*> patterns;
  if (const ViewUnit& unit = unitOf(scene.view); unit.panels)
    for (Panel& panel : ownPanels(scene, unit))
      patterns.push_back(&panel.pattern);
  if (patterns.empty() && !drawnPatterns(scene).empty())
    patterns.push_back(&scene.pattern);
  return patterns;
}

Pattern editedPattern(const Scene& scene) {
  const ViewUnit& unit = unitOf(scene.view);
  const auto place = unit.edited ? unit.edited(scene) : std::nullopt;
  return place ? unit.panels(scene)[*place].pattern : scene.pattern;
}

std::string editedName(const Scene& scene) {
  const auto name = unitOf(scene.view).editedName;
  return name ? name(scene) : std::string();
}

std::vector<std::string_view> unreadParameters(const Scene& scene) {
  const auto unread = unitOf(scene.view).unreadParameters;
  return unread ? unread(scene) : std::vector<std::string_view>();
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
  const bool masks = unitOf(scene.view).masks != nullptr;
  if (masks && currentImage(scene))
    imageShape(scene.mask.image, lengths.keys);
  for (const Panel& panel : masks ? shownPatterns(scene, lengths) : drawnPatterns(scene))
    check(panel.pattern, lengths);
}

bool showsDifference(const Scene& scene) {
  return unitOf(scene.view).showsDifference;
}

WeightsShown currentWeights(const Scene& scene) {
  return showsDifference(scene) ? WeightsShown::Off : scene.mask.weights;
}

bool currentImage(const Scene& scene) {
  return !showsDifference(scene) && scene.mask.image.shown;
}

bool currentTiles(const Scene& scene) {
  return !showsDifference(scene) && scene.mask.tiles.shown &&
         scene.mask.weights == WeightsShown::Off;
}

} // namespace attention
