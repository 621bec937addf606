#include "app/gui/panels/layout.h"
#include "app/gui/parameters/setting_controls.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/views/compare/compare_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/pattern_title.h"
#include "core/pattern/presets.h"
#include "core/views/compare/match_pairs.h"
#include "core/views/compare/scene_compare.h"
#include "core/views/shown_patterns.h"
#include "core/views/timings/scene_timings.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

using Panels = std::vector<Panel>;
using Mechanisms = std::vector<TimedMechanism>;

// The compared pair and the chosen one stay the same patterns; if one of them is removed, they
// become the first two, and the first.
void removePattern(const PanelContext& c, Panels patterns, std::size_t place) {
  patterns.erase(patterns.begin() + static_cast<std::ptrdiff_t>(place));
  c.actions.edit("remove", [patterns = std::move(patterns),
                            gone = static_cast<Index>(place)](Scene& s) {
    CompareSpec& compare = s.compare;
    compare.patterns = patterns;
    compare.chosen = compare.chosen == gone ? 0 : compare.chosen - (compare.chosen > gone ? 1 : 0);
    if (compare.first == gone || compare.second == gone) {
      compare.first = 0;
      compare.second = 1;
      return;
    }
    compare.first -= compare.first > gone ? 1 : 0;
    compare.second -= compare.second > gone ? 1 : 0;
  });
}

// A square in the hue that the pattern has in every picture of the comparison.
void hueSquare(const Ui& ui, std::size_t place) {
  const float side = ui.px(12);
  const float line = fontSize(ui.fonts.text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = std::round(at.y + (line - side) / 2);
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, top), ImVec2(at.x + side, top + side),
                                            color(ui.colors().series[place]), ui.px(2));
  ImGui::Dummy(ImVec2(side, line));
  ImGui::SameLine(0, ui.px(8));
}

// A row for a compared pattern: its hue, letter and title; a press makes the controls edit it.
void comparedRow(const PanelContext& c, const Panels& panels, std::size_t place) {
  const Ui& ui = c.ui;
  const std::string letter = std::string("(") + static_cast<char>('a' + place) + ")";
  const RowScope row(ui.log, "compared " + std::to_string(place + 1));
  const bool chosen = place == chosenPlace(c.scene.compare);
  hueSquare(ui, place);
  Control control{chosen ? "The parameters above are those of this pattern"
                         : "Edit this pattern: parameters, strip and gallery then apply to it"};
  control.width = availableWidth() - ui.px(28);
  // What has no room in a line has its mechanism alone there.
  const Panel& panel = panels[place];
  std::string label = letter + " " + titlesOf(panels)[place];
  const bool cut = panel.title.empty() && textSize(ui.fonts.text, label).x > control.width;
  if (cut)
    label = letter + " " + mechanismTitle(panel.pattern);
  if (listItem(ui, label, chosen, {}, control))
    c.actions.edit("choose " + letter,
                   [place](Scene& s) { s.compare.chosen = static_cast<Index>(place); });
  if (removeAtRight(ui, "remove",
                    {"Remove this pattern; two must stay", panels.size() > kLeastCompared}))
    removePattern(c, panels, place);
  if (!panel.title.empty() || cut)
    caption(ui, titleText(panel.pattern));
}

// One more, which the controls edit from then on.
void addPattern(const PanelContext& c, Panels panels, Panel panel) {
  panels.push_back(std::move(panel));
  c.actions.edit("compare", [panels = std::move(panels)](Scene& s) {
    s.compare.patterns = panels;
    s.compare.chosen = static_cast<Index>(panels.size()) - 1;
  });
}

void addPreset(const PanelContext& c, const Panels& panels) {
  std::vector<ChoiceItem> items;
  for (const Preset& preset : allPresets())
    items.push_back({preset.title, preset.meaning});
  ChoiceSpec spec;
  spec.tooltip = "Add what a library or a paper means by its window; at most four patterns";
  spec.enabled = panels.size() < kMostCompared;
  int chosen = -1;
  if (!combo(c.ui, "add a preset", chosen, items, spec) || chosen < 0)
    return;
  const Preset& preset = allPresets()[static_cast<std::size_t>(chosen)];
  addPattern(c, panels, {preset.title, preset.pattern()});
}

void comparedRows(const PanelContext& c) {
  const Panels panels = comparedOf(c.scene.compare);
  for (std::size_t place = 0; place < std::min(panels.size(), kMostCompared); ++place)
    comparedRow(c, panels, place);
  if (link(c.ui, "+ add a pattern",
           {"Add a copy of the chosen pattern to edit; a mask file dropped on the window "
            "replaces the chosen pattern",
            panels.size() < kMostCompared}))
    addPattern(c, panels, {"", editedPattern(c.scene)});
  addPreset(c, panels);
  SettingControls(c, &Scene::compare, compareSettings()).draw({"match_pairs"});
  if (const std::string words = unmatchedText(c.scene.compare, c.results.lengths); !words.empty())
    caption(c.ui, words);
}

// The two patterns of the difference.
void pairChoice(const PanelContext& c) {
  const std::size_t count = std::min(comparedOf(c.scene.compare).size(), kMostCompared);
  if (count <= kLeastCompared)
    return;
  std::vector<ChoiceItem> items;
  for (std::size_t k = 0; k < count; ++k)
    items.push_back({std::string(1, static_cast<char>('a' + k)),
                     "One of the two patterns that are compared cell by cell"});
  const auto one = [&](const char* label, Index CompareSpec::*field, Index CompareSpec::*other) {
    int selected = static_cast<int>(c.scene.compare.*field);
    if (selected >= static_cast<int>(count)) // of a Scene that cannot be shown
      selected = -1;
    if (choice(c.ui, label, selected, items))
      c.actions.edit(label, [field, other, selected](Scene& s) {
        if (s.compare.*other == selected)
          s.compare.*other = s.compare.*field;
        s.compare.*field = selected;
      });
  };
  one("first", &CompareSpec::first, &CompareSpec::second);
  one("second", &CompareSpec::second, &CompareSpec::first);
}

void scoredRows(const PanelContext& c) {
  const Ui& ui = c.ui;
  sectionHeading(ui, "Also scored");
  SettingControls(c, &Scene::compare, compareSettings()).draw({"base"});
  const Index n = std::max<Index>(1, c.results.lengths.keys);
  Mechanisms all = scoredAt(c.scene.compare, n);
  bool changed = false;
  for (std::size_t k = 0; k < all.size() && !changed; ++k) {
    const RowScope row(ui.log, "scored " + std::to_string(k + 1));
    caption(ui, boardName(all[k], scoredMethod(all[k], c.scene.pattern, c.scene.timings.d), n));
    if (removeAtRight(ui, "remove", {"Remove it from the score board", all.size() > 1})) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
    }
  }
  if (!changed && link(ui, "+ score current",
                       {"Put the chosen pattern, as it is now, on the score board",
                        all.size() < kMostScored})) {
    TimedMechanism mechanism;
    mechanism.kind = TimedMechanism::Kind::Pattern;
    mechanism.pattern = editedPattern(c.scene);
    all.push_back(std::move(mechanism));
    changed = true;
  }
  if (changed)
    c.actions.edit("score", [all = std::move(all)](Scene& s) { s.compare.scored = all; });
}

} // namespace

void drawCompareOptions(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Compared");
  sectionHeading(c.ui, "Compared");
  comparedRows(c);
  pairChoice(c);
  space(c.ui, 4);
  scoredRows(c);
}

} // namespace attention::gui
