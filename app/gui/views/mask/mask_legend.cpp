#include "app/gui/views/mask/mask_legend.h"

#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "core/plot/mask_color.h"
#include "core/support/error.h"
#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

bool pointerIn(const Rect& r) {
  return ImGui::IsMouseHoveringRect(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y1));
}

// Small multiples have no cells to spare.
bool isNarrow(const Ui& ui, const Rect& matrix) {
  return widthOf(matrix) < ui.px(300);
}

// Around content of `size` in the upper right corner of the matrix.
Rect plateBox(const Ui& ui, const Rect& matrix, ImVec2 size) {
  const float pad = ui.px(isNarrow(ui, matrix) ? 5 : 10);
  const float margin = ui.px(isNarrow(ui, matrix) ? 3 : 14);
  return {std::round(matrix.x1 - margin - size.x - 2 * pad), std::round(matrix.y0 + margin),
          matrix.x1 - margin, std::round(matrix.y0 + margin + size.y + 2 * pad)};
}

// Draws the plate there; returns where its content begins.
struct Plate {
  ImVec2 at;
  float alpha;
};
Plate plate(const Ui& ui, const Rect& matrix, ImVec2 size) {
  const Rect box = plateBox(ui, matrix, size);
  const float pad = ui.px(isNarrow(ui, matrix) ? 5 : 10);
  const float alpha = pointerIn(box) ? 0.15F : 1;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1),
                                            color(ui.colors().view, 0.86F * alpha), ui.px(5));
  return {ImVec2(box.x0 + pad, box.y0 + pad), alpha};
}

// How swatches and words stand on it.
struct CornerLegend {
  ImFont* font;
  float row;
  float swatch;
  ImVec2 size;
};
CornerLegend cornerLegend(const Ui& ui, const Rect& matrix,
                          const std::vector<LegendEntry>& entries) {
  const bool narrow = isNarrow(ui, matrix);
  CornerLegend look{narrow ? ui.fonts.small : ui.fonts.text, 0, ui.px(narrow ? 10 : 13), {}};
  look.row = fontSize(look.font) + ui.px(narrow ? 3 : 8);
  float width = 0;
  for (const LegendEntry& entry : entries)
    width = std::max(width, textSize(look.font, entry.label).x);
  look.size = ImVec2(look.swatch + ui.px(9) + width, look.row * static_cast<float>(entries.size()) -
                                                         (look.row - fontSize(look.font)));
  return look;
}

// A formula that fails here also fails elsewhere, where it is reported.
bool lit(const Prepared& mask, const Cell& cell) {
  try {
    return mask.contains(cell.query, cell.key);
  } catch (const Error&) {
    return true;
  }
}

ImVec4 faded(ImVec4 c, float alpha) {
  c.w *= alpha;
  return c;
}

void drawBar(const Ui& ui, const Rect& bar, float alpha) {
  const FigureTheme theme = figureTheme(ui.theme);
  constexpr int kSteps = 48;
  const float step = (bar.x1 - bar.x0) / kSteps;
  for (int k = 0; k < kSteps; ++k) {
    const double at = (k + 0.5) / kSteps;
    const float x = bar.x0 + step * static_cast<float>(k);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(x, bar.y0), ImVec2(x + step + 0.5F, bar.y1),
                                              color(toFloats(weightColor(at * at, theme), alpha)));
  }
}

} // namespace

MaskLegends maskLegends(const Masks& masks, FigureTheme theme, bool weights) {
  MaskLegends legends(masks.tiles.size());
  const std::size_t first = weights && masks.tiles.size() > 1 ? 1 : 0;
  const ShownMask& one = masks.tiles[first];
  const bool common =
      std::all_of(masks.tiles.begin() + static_cast<std::ptrdiff_t>(first), masks.tiles.end(),
                  [&](const ShownMask& tile) { return sameParts(tile, one); });
  for (std::size_t k = first; k < (common ? first + 1 : masks.tiles.size()); ++k)
    if (const ShownMask& tile = masks.tiles[k]; !namedBy(*tile.prepared, tile.title))
      legends[k] = maskLegend(*tile.prepared, theme);
  return legends;
}

bool cornerIsFree(const Ui& ui, const ShownMask& mask, const Rect& area,
                  const std::vector<LegendEntry>& entries) {
  if (entries.empty())
    return true;
  const Lengths& lengths = mask.prepared->lengths();
  const MaskFrame frame = frameOf(lengths, std::nullopt, area);
  const Rect matrix = maskOutline(frame, lengths);
  const CornerLegend look = cornerLegend(ui, matrix, entries);
  if (look.size.x + ui.px(40) > widthOf(matrix))
    return false;
  const Rect box = plateBox(ui, matrix, look.size);
  constexpr int kLooks = 16; // in either direction
  for (int row = 0; row <= kLooks; ++row)
    for (int column = 0; column <= kLooks; ++column) {
      const auto at = [](float from, float to, int k) {
        return from + (to - from) * static_cast<float>(k) / kLooks;
      };
      const auto cell = cellAt(frame, lengths, at(box.x0, box.x1, column), at(box.y0, box.y1, row));
      if (cell && lit(*mask.prepared, *cell))
        return false;
    }
  return true;
}

namespace {

void drawEntries(const Ui& ui, const CornerLegend& look, const std::vector<LegendEntry>& entries,
                 const Plate& p) {
  ImVec2 at = p.at;
  for (const LegendEntry& entry : entries) {
    const float y = std::round(at.y + (fontSize(look.font) - look.swatch) / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(at.x, y), ImVec2(at.x + look.swatch, y + look.swatch),
        color(faded(toFloats(entry.color), p.alpha)), ui.px(2));
    const ImVec2 words(at.x + look.swatch + ui.px(9), at.y);
    drawText(look.font, words, faded(ui.colors().text, p.alpha), entry.label);
    const ImVec2 size = textSize(look.font, entry.label);
    recordText(ui, entry.label, words, ImVec2(words.x + size.x, words.y + size.y));
    at.y += look.row;
  }
}

} // namespace

void drawCornerLegend(const Ui& ui, const Rect& matrix, const std::vector<LegendEntry>& entries) {
  const CornerLegend look = cornerLegend(ui, matrix, entries);
  if (!entries.empty() && look.size.x + ui.px(40) <= widthOf(matrix))
    drawEntries(ui, look, entries, plate(ui, matrix, look.size));
}

std::string weightsTitle(WeightsShown shown, TexelKind kind) {
  if (kind != TexelKind::Pixels)
    return "attention weight p";
  return shown == WeightsShown::Sum ? "sum of p in a pixel" : "largest p in a pixel";
}

void drawWeightsLegend(const Ui& ui, const Rect& matrix, const WeightsLegend& legend) {
  ImFont* font = ui.fonts.small;
  const float line = fontSize(font);
  const CornerLegend parts = cornerLegend(ui, matrix, legend.parts);
  const float width = std::max({textSize(font, legend.title).x, ui.px(150), parts.size.x});
  if (width + ui.px(60) > matrix.x1 - matrix.x0)
    return;
  const float ramp = 2 * line + ui.px(22);
  const float below = legend.parts.empty() ? 0 : ui.px(8) + parts.size.y;
  const Plate p = plate(ui, matrix, ImVec2(width, ramp + below));
  drawEntries(ui, parts, legend.parts, {ImVec2(p.at.x, p.at.y + ramp + ui.px(8)), p.alpha});
  drawText(font, p.at, faded(ui.colors().text, p.alpha), legend.title);
  recordText(ui, legend.title, p.at, ImVec2(p.at.x + width, p.at.y + line));
  const float top = std::round(p.at.y + line + ui.px(5));
  drawBar(ui, {p.at.x, top, p.at.x + width, top + ui.px(11)}, p.alpha);
  // The bar uses the square root of the weight: its middle is a quarter of the largest.
  const double unit = static_cast<double>(legend.largest);
  for (const double at : {0.0, 0.5, 1.0}) {
    const std::string text = shortNumber(at * at * unit, 2);
    const float room = width - textSize(font, text).x;
    drawText(font, ImVec2(std::round(p.at.x + room * static_cast<float>(at)), top + ui.px(15)),
             faded(ui.colors().dim, p.alpha), text);
  }
}

void drawBadge(const Ui& ui, const Rect& matrix, const std::string& words) {
  ImFont* font = ui.fonts.small;
  const float width = std::max(widthOf(matrix) - ui.px(36), ui.px(60));
  const UseFont use(font);
  const ImVec2 size = ImGui::CalcTextSize(words.data(), words.data() + words.size(), false, width);
  const float pad = ui.px(6);
  const ImVec2 at(matrix.x0 + ui.px(10) + pad, matrix.y1 - ui.px(10) - size.y - pad / 2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(ImVec2(at.x - pad, at.y - pad / 2),
                      ImVec2(at.x + size.x + pad, at.y + size.y + pad / 2),
                      color(ui.colors().card, 0.92F), ui.px(4));
  list->AddText(font, ImGui::GetFontSize(), at, color(ui.colors().warning), words.data(),
                words.data() + words.size(), width);
  recordText(ui, words, at, ImVec2(at.x + size.x, at.y + size.y));
}

} // namespace attention::gui
