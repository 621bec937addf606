#include "app/gui/overlays/conventions.h"

#include "app/gui/overlays/search.h"
#include "app/gui/panels/choose_pattern.h"
#include "app/gui/panels/layout.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/presets.h"
#include "core/scene/shown_patterns.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr float kHeight = 54; // of a card at scale 1
constexpr float kWidth = 360; // it has at least
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

} // namespace

std::vector<std::size_t> conventionsFor(const std::string& search) {
  const auto presets = allPresets();
  std::vector<std::size_t> which;
  for (std::size_t k = 0; k < presets.size(); ++k)
    if (found(search,
              presets[k].title + " " + presets[k].name + " " + presets[k].source + " convention"))
      which.push_back(k);
  return which;
}

void chooseConvention(const PanelContext& c, std::size_t which) {
  choosePattern(c.actions, c.offers.presets[which], allPresets()[which].title);
}

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

} // namespace attention::gui
