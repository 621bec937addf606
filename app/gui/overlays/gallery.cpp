#include "app/gui/overlays/overlays.h"
#include "app/gui/overlays/search.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/panel.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/fields.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/presets.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace attention::gui {
namespace {

void chooseConvention(const PanelContext& c, std::size_t which) {
  choosePattern(c.actions, c.offers.presets[which], allPresets()[which].title);
}

constexpr float kHeight = 54; // of a card at scale 1
constexpr float kWidth = 360; // its least width
constexpr float kInset = 6;

std::string meaningOf(const Preset& preset) {
  return preset.keys.empty() ? preset.meaning : preset.meaning + ": " + preset.keys + " keys";
}

void drawWords(const Ui& ui, const Preset& preset, const Rect& area, float left) {
  const float room = area.x1 - left - ui.px(kInset);
  const float title = fontSize(ui.fonts.text);
  const float both = title + ui.px(4) + fontSize(ui.fonts.small);
  const float top = std::round((area.y0 + area.y1 - both) / 2);
  drawText(ui.fonts.text, ImVec2(left, top), ui.colors().text,
           cutToWidth(ui.fonts.text, preset.title, room));
  drawText(ui.fonts.small, ImVec2(left, top + title + ui.px(4)), ui.colors().dim,
           cutToWidth(ui.fonts.small, meaningOf(preset), room));
}

bool card(const PanelContext& c, std::size_t which, float width) {
  const Ui& ui = c.ui;
  const Preset& preset = allPresets()[which];
  const bool current = c.offers.presets[which] == editedPattern(c.scene);
  const std::string tip = preset.source + ". " + meaningOf(preset);
  const Tile shown = tile(ui, preset.title, ImVec2(width, ui.px(kHeight)), current, {tip});
  const Rect& area = shown.area;
  const float side = area.y1 - area.y0;
  c.thumbnails.draw(ui, "convention " + preset.name, c.offers.pictured[which], kPicturedLengths,
                    {area.x0, area.y0, area.x0 + side, area.y1},
                    current ? ui.colors().accent : ui.colors().dim);
  drawWords(ui, preset, area, area.x0 + side + ui.px(kInset));
  if (shown.pressed)
    chooseConvention(c, which);
  return shown.pressed;
}

// The presets that the search finds, by their places in allPresets().
std::vector<std::size_t> conventionsFor(const std::string& search) {
  const auto presets = allPresets();
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < presets.size(); ++k)
    if (found(search,
              presets[k].title + " " + presets[k].name + " " + presets[k].source + " convention"))
      which.push_back(k);
  return which;
}

// A heading and a card each, in as many columns as fit. True when one was chosen.
bool drawConventions(const PanelContext& c, const std::vector<std::size_t>& which) {
  if (which.empty())
    return false;
  space(c.ui, 8);
  sectionHeading(c.ui, "Conventions: what libraries and papers mean by window W",
                 "pictures: W = 4, 24 tokens");
  const int columns = std::max(1, static_cast<int>(availableWidth() / c.ui.px(kWidth)));
  const float width = shareOfRow(columns);
  bool chosen = false;
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (k % static_cast<std::size_t>(columns) != 0)
      ImGui::SameLine();
    chosen = card(c, which[k], width) || chosen;
  }
  return chosen;
}

constexpr float kTile = 100; // side of a picture at scale 1
constexpr float kCell = 124; // from one tile to the next
constexpr float kGap = 20;   // between groups in a line

bool matches(const std::string& search, const Description& d) {
  std::string text = d.title + " " + d.name + " " + d.group + " " + d.summary + " " + d.source;
  for (const std::string& alias : d.aliases)
    text += " " + alias;
  return found(search, text);
}

struct Group {
  std::string name;
  std::vector<std::size_t> patterns; // of allMechanisms()
};

// The nonempty groups, in their order, with the patterns that the search finds.
std::vector<Group> groupsFor(const std::string& search) {
  std::vector<Group> groups;
  const auto mechanisms = allMechanisms();
  for (std::size_t k = 0; k < mechanisms.size(); ++k) {
    const Description& d = description(mechanisms[k]);
    if (!matches(search, d))
      continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& g) { return g.name == d.group; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {d.group, {}});
    group->patterns.push_back(k);
  }
  return groups;
}

bool galleryTile(const PanelContext& c, const Pattern& pattern) {
  const Ui& ui = c.ui;
  const Description& d = description(pattern);
  const bool current = sameMechanism(pattern, editedPattern(c.scene));
  ImGui::BeginGroup();
  const std::string tip = d.summary + " " + d.source;
  const Tile shown = tile(ui, d.title, ImVec2(ui.px(kTile), ui.px(kTile)), current, {tip});
  c.thumbnails.draw(ui, "gallery " + d.name, pattern, c.offers.lengths, shown.area,
                    current ? ui.colors().accent : ui.colors().dim);
  {
    const UseFont small(ui.fonts.small);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(kTile));
    ImGui::TextUnformatted(d.title.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::EndGroup();
  if (shown.pressed)
    choosePattern(c.actions, pattern);
  return shown.pressed;
}

// A heading and its tiles in lines of `columns`. True when one was chosen.
bool galleryGroup(const PanelContext& c, const Group& group, int columns) {
  bool chosen = false;
  ImGui::BeginGroup();
  groupHeading(c.ui, group.name);
  for (std::size_t k = 0; k < group.patterns.size(); ++k) {
    if (k % static_cast<std::size_t>(columns) != 0)
      ImGui::SameLine(0, c.ui.px(kCell - kTile));
    chosen = galleryTile(c, c.offers.mechanisms[group.patterns[k]]) || chosen;
  }
  ImGui::EndGroup();
  return chosen;
}

// Groups stand side by side as long as they fit the line.
bool galleryGroups(const PanelContext& c, const std::vector<Group>& groups) {
  const float width = availableWidth();
  const int columns =
      std::max(1, static_cast<int>((width + c.ui.px(kCell - kTile)) / c.ui.px(kCell)));
  bool chosen = false;
  float x = 0;
  for (const Group& group : groups) {
    const int tiles = std::min(columns, static_cast<int>(group.patterns.size()));
    const float taken = c.ui.px(kCell) * static_cast<float>(tiles);
    if (x > 0 && x + c.ui.px(kGap) + taken <= width + c.ui.px(kCell - kTile)) {
      ImGui::SameLine(0, c.ui.px(kGap + kCell - kTile));
      x += c.ui.px(kGap);
    } else {
      if (x > 0)
        space(c.ui, 6);
      x = 0;
    }
    chosen = galleryGroup(c, group, columns) || chosen;
    x += taken;
  }
  return chosen;
}

// The first pattern found, or the one that has just that title.
std::size_t nearestPattern(const std::vector<Group>& groups, const std::string& search) {
  for (const Group& group : groups)
    for (const std::size_t k : group.patterns)
      if (nearness(search, description(allMechanisms()[k]).title) == Nearness::Same)
        return k;
  return groups.front().patterns.front();
}

} // namespace

OverlayStep drawGallery(GalleryState& state, const PanelContext& c) {
  FieldSpec field;
  field.hint = "search by name, group, author, library";
  field.labelWidth = 0;
  field.tooltip =
      "Type a part of a name; Enter takes the first one found, or the one of just that name";
  field.focus = ImGui::IsWindowAppearing();
  field.width = availableWidth() - c.ui.px(90);
  const FieldEdit edit = inputText(c.ui, "search", state.search, field);
  ImGui::SameLine();
  bool close = button(c.ui, "Close", {"Back to the view (Esc)", true, -1});
  const std::vector<Group> groups = groupsFor(state.search);
  const std::vector<std::size_t> conventions = conventionsFor(state.search);
  if (edit.entered && !groups.empty()) {
    choosePattern(c.actions, c.offers.mechanisms[nearestPattern(groups, state.search)]);
    close = true;
  } else if (edit.entered && !conventions.empty()) {
    chooseConvention(c, conventions.front());
    close = true;
  }
  beginChild("patterns", ImVec2(0, 0), false);
  close = galleryGroups(c, groups) || close;
  close = drawConventions(c, conventions) || close;
  if (groups.empty() && conventions.empty())
    caption(c.ui, "No match");
  ImGui::EndChild();
  return close ? OverlayStep::Close : OverlayStep::Stay;
}

} // namespace attention::gui
