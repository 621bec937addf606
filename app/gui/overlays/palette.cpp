#include "app/gui/files/figure_list.h"
#include "app/gui/overlays/overlays.h"
#include "app/gui/overlays/search.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/presets.h"

#include <algorithm>
#include <utility>

namespace attention::gui {
namespace {

struct Entry {
  std::string label;
  std::string detail;
  std::function<void(ActionSink&)> run;
  std::string also = {}; // hidden words by which it is found
  std::pair<Nearness, bool> rank = {};
};

void addActions(const Workbench& bench, std::vector<Entry>& entries) {
  for (const ActionEntry& action : bench.actions.entries()) {
    const std::string& about = action.menu.empty() ? action.group : action.menu;
    if (!action.isEnabled(bench) || action.id == "help.palette" || about.empty())
      continue;
    const std::string chord =
        action.chords.empty() ? std::string() : toString(action.chords.front());
    entries.push_back({action.label, chord.empty() ? about : chord,
                       [id = action.id](ActionSink& sink) { sink.run(id); },
                       about + " " + action.tooltip});
  }
}

void addPatterns(const PanelContext& c, std::vector<Entry>& entries) {
  for (const Pattern& offered : c.offers.mechanisms)
    entries.push_back(
        {description(offered).title, "pattern",
         [&offered](ActionSink& sink) { choosePattern(sink, offered); },
         description(offered).name + " " + description(offered).summary + " mask attention"});
}

// Libraries' window conventions: found by the library's name.
void addPresets(std::vector<Entry>& entries) {
  for (const Preset& preset : allPresets())
    entries.push_back({preset.title, "convention: " + preset.meaning, [&preset](ActionSink& sink) {
                         choosePattern(sink, preset.pattern(), preset.title);
                       }});
}

std::vector<Entry> entriesFor(const Workbench& bench, const PanelContext& c,
                              const std::string& search) {
  std::vector<Entry> entries;
  addPatterns(c, entries);
  for (const ShownFigure& figure : c.figures)
    entries.push_back({figure.title, "figure: " + figure.paper,
                       [figure](ActionSink& sink) {
                         sink.edit(figure.title, [figure](Scene& s) { s = figure.scene; });
                       },
                       figure.name + " " + figure.scene.source});
  addActions(bench, entries);
  addPresets(entries);
  const auto missed = [&](const Entry& e) {
    return !found(search, e.label + " " + e.detail + " " + e.also);
  };
  entries.erase(std::remove_if(entries.begin(), entries.end(), missed), entries.end());
  // The nearest names come first, then those with the whole words elsewhere.
  const auto rank = [&](const Entry& e) {
    const Nearness near = nearness(search, e.label);
    const bool elsewhere = foundTogether(search, e.detail + " " + e.also);
    return std::pair(near, near == Nearness::Other && !elsewhere);
  };
  for (Entry& entry : entries)
    entry.rank = rank(entry);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
  return entries;
}

// "“Undo” is not possible now." where that is what was looked for, else that there is nothing.
std::string noMatch(const Workbench& bench, const std::string& search) {
  for (const ActionEntry& action : bench.actions.entries())
    if (!action.menu.empty() && found(search, action.label))
      return "“" + action.label + "” is not possible now.";
  return "No match";
}

} // namespace

OverlayStep drawPalette(PaletteState& state, const Workbench& bench, const PanelContext& c) {
  FieldSpec field;
  field.hint = "search patterns, figures, actions";
  field.labelWidth = 0;
  field.tooltip = "Type a part of a name; arrows choose, Enter runs";
  field.focus = ImGui::IsWindowAppearing();
  const FieldEdit edit = inputText(c.ui, "search", state.search, field);
  if (edit.changed)
    state.selected = 0;
  const std::vector<Entry> entries = entriesFor(bench, c, state.search);
  const int count = static_cast<int>(entries.size());
  const int step = static_cast<int>(chordPressed({Key::Down}, true)) -
                   static_cast<int>(chordPressed({Key::Up}, true));
  state.selected = std::clamp(state.selected + step, 0, std::max(0, count - 1));
  int chosen = edit.entered && count > 0 ? state.selected : -1;
  beginChild("entries", ImVec2(0, 0), false, ImGuiWindowFlags_NoNav);
  for (int k = 0; k < count; ++k) {
    const Entry& entry = entries[static_cast<std::size_t>(k)];
    ImGui::PushID(k);
    if (listItem(c.ui, entry.label, k == state.selected, entry.detail))
      chosen = k;
    if (k == state.selected && step != 0)
      ImGui::SetScrollHereY();
    ImGui::PopID();
  }
  if (count == 0)
    caption(c.ui, noMatch(bench, state.search));
  ImGui::EndChild();
  if (chosen < 0)
    return OverlayStep::Stay;
  entries[static_cast<std::size_t>(chosen)].run(c.actions);
  return OverlayStep::Close;
}

} // namespace attention::gui
