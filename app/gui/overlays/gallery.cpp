#include "app/gui/overlays/overlays.h"
#include "app/gui/overlays/search.h"
#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/words.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kTile = 100; // side of a picture at scale 1
constexpr float kCell = 128; // width of a tile with its name

// The pattern as it would be chosen: the present one, the one last used, or its defaults.
Pattern shownPattern(const PanelContext& c, const Pattern& standard) {
  const auto same = [&](const Pattern& p) {
    return p.mechanism.index() == standard.mechanism.index();
  };
  if (same(c.scene.pattern))
    return c.scene.pattern;
  const auto& recent = c.habits.recentPatterns;
  const auto known = std::find_if(recent.begin(), recent.end(), same);
  return known == recent.end() ? begun(standard, c.scene.pattern) : *known;
}

bool matches(const std::string& search, const Description& d) {
  std::string text = d.title + " " + d.name + " " + d.group + " " + d.summary + " " + d.source;
  for (const std::string& alias : d.aliases)
    text += " " + alias;
  return found(search, text);
}

bool galleryTile(const PanelContext& c, const Pattern& standard) {
  const Ui& ui = c.ui;
  const Description& d = description(standard);
  const Pattern pattern = shownPattern(c, standard);
  const bool current = pattern.mechanism.index() == c.scene.pattern.mechanism.index();
  ImGui::BeginGroup();
  const std::string tip = d.summary + " " + d.source;
  const Tile shown = tile(ui, d.title, ImVec2(ui.px(kTile), ui.px(kTile)), current, {tip});
  const Lengths lengths =
      c.results.lengths.keys > 0 ? c.results.lengths : Lengths{kDefaultLength, kDefaultLength, 0};
  c.thumbnails.draw(ui, "gallery " + d.name, pattern, lengths, shown.area,
                    current ? ui.colors().accent : ui.colors().dim);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.small, at, ui.colors().text,
           cutToWidth(ui.fonts.small, d.title, ui.px(kCell - 6)));
  ImGui::Dummy(ImVec2(ui.px(kCell - 6), fontSize(ui.fonts.small)));
  ImGui::EndGroup();
  if (shown.pressed)
    choosePattern(c.actions, pattern);
  return shown.pressed;
}

// The patterns of one group that the search finds, in rows. True when one was chosen.
bool galleryGroup(const PanelContext& c, const std::string& search, const std::string& group) {
  bool chosen = false;
  bool any = false;
  float x = 0;
  const float width = availableWidth();
  for (const Pattern& p : allMechanisms()) {
    const Description& d = description(p);
    if (d.group != group || !matches(search, d))
      continue;
    if (!any)
      sectionHeading(c.ui, group);
    any = true;
    if (x > 0 && x + c.ui.px(kCell) <= width)
      ImGui::SameLine(0, c.ui.px(4));
    else
      x = 0;
    chosen = galleryTile(c, p) || chosen;
    x += c.ui.px(kCell + 4);
  }
  if (any)
    space(c.ui, 4);
  return chosen;
}

// Enter takes the first pattern that the search finds.
bool chooseFirst(const PanelContext& c, const std::string& search) {
  for (const Pattern& p : allMechanisms())
    if (matches(search, description(p))) {
      choosePattern(c.actions, shownPattern(c, p));
      return true;
    }
  return false;
}

} // namespace

OverlayStep drawGallery(GalleryState& state, const PanelContext& c) {
  FieldSpec field;
  field.hint = "search by name, group, author";
  field.labelWidth = 0;
  field.tooltip = "Type a part of a name; Enter takes the first one found";
  field.focus = ImGui::IsWindowAppearing();
  field.width = availableWidth() - c.ui.px(90);
  const FieldEdit edit = inputText(c.ui, "search", state.search, field);
  ImGui::SameLine();
  bool close = button(c.ui, "Close", {"Back to the view (Esc)", true, -1});
  if (edit.entered)
    close = chooseFirst(c, state.search) || close;
  beginChild("patterns", ImVec2(0, 0), false);
  std::vector<std::string> groups;
  for (const Pattern& p : allMechanisms())
    if (std::find(groups.begin(), groups.end(), description(p).group) == groups.end())
      groups.push_back(description(p).group);
  bool any = false;
  for (const std::string& group : groups)
    close = galleryGroup(c, state.search, group) || close;
  for (const Pattern& p : allMechanisms())
    any = any || matches(state.search, description(p));
  if (!any)
    caption(c.ui, "no pattern is called so");
  ImGui::EndChild();
  return close ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
