#include "app/gui/views/mask/mask_marks.h"

#include "app/gui/interface/actions.h"
#include "app/gui/pictures/paint.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Points at which gaps begin to be drawn, and their width as a share of the cell.
constexpr double kGapsFrom = 4;
constexpr double kGapShare = 0.06;

// Points per cell from which on everything except pinned rows and columns is paled: smaller cells
// are too faint to lose any more.
constexpr double kVeilFrom = 2;

// The stretch of one token, at least three points long so that it can be seen.
std::pair<float, float> stretch(float from, float to) {
  constexpr float kLeast = 3;
  if (to - from >= kLeast)
    return {std::round(from), std::round(to)};
  const float middle = std::round((from + to) / 2);
  return {middle - 1, middle + 2};
}

Rect rowBand(const MaskFrame& frame, const Lengths& lengths, Index query) {
  const Rect outline = maskOutline(frame, lengths);
  const auto at = static_cast<double>(query);
  const auto [top, bottom] = stretch(frame.y(at), frame.y(at + 1));
  return {outline.x0, top, outline.x1, bottom};
}

Rect keyBand(const MaskFrame& frame, const Lengths& lengths, Index key) {
  const Rect outline = maskOutline(frame, lengths);
  const auto at = static_cast<double>(key);
  const auto [left, right] = stretch(frame.x(at), frame.x(at + 1));
  return {left, outline.y0, right, outline.y1};
}

// Everything but the row (and column) becomes paler.
void drawVeil(const Ui& ui, const Rect& all, const Rect& row, const Rect& column) {
  const ImU32 veil = color(ui.colors().view, 0.36F);
  for (const auto& [y0, y1] : {std::pair(all.y0, row.y0), std::pair(row.y1, all.y1)}) {
    fill({all.x0, y0, column.x0, y1}, veil);
    fill({column.x1, y0, all.x1, y1}, veil);
  }
}

} // namespace

void drawGaps(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, float density) {
  const double pixels = frame.scale * static_cast<double>(density);
  if (pixels < kGapsFrom)
    return;
  const Clip clip(frame.area);
  const CellRect cells = visibleCells(frame, lengths);
  const float width =
      static_cast<float>(std::clamp(std::round(pixels * kGapShare), 1.0, 3.0)) / density;
  const ImU32 ground = color(ui.colors().view);
  const Rect all = maskOutline(frame, lengths);
  // Also before the first cells, or they would be larger than the others; a single cell fills its
  // matrix.
  for (Index query = lengths.queries > 1 ? cells.rowBegin : 1;
       query < std::min(cells.rowEnd + 1, lengths.queries); ++query) {
    const float y = gapAt(frame.y(static_cast<double>(query)), density);
    fill({all.x0, y, all.x1, y + width}, ground);
  }
  for (Index key = lengths.keys > 1 ? cells.keyBegin : 1;
       key < std::min(cells.keyEnd + 1, lengths.keys); ++key) {
    const float x = gapAt(frame.x(static_cast<double>(key)), density);
    fill({x, all.y0, x + width, all.y1}, ground);
  }
}

void drawOutline(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) {
  box(maskOutline(frame, lengths), color(ui.colors().border), 1);
}

void drawPins(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Pins& asked,
              bool pale) {
  const Pins pins{shownQuery(asked, {}, lengths), shownKey(asked, lengths)};
  if (!pins.query && !pins.key)
    return;
  const Rect& a = frame.area;
  const Clip clip({a.x0 - 1, a.y0 - 1, a.x1 + 1, a.y1 + 1});
  const Rect all = maskOutline(frame, lengths);
  const Rect none{all.x1, all.y1, all.x1, all.y1};
  const Rect row = pins.query ? rowBand(frame, lengths, *pins.query) : none;
  const Rect column = pins.key ? keyBand(frame, lengths, *pins.key) : none;
  if (pale && frame.scale >= kVeilFrom)
    drawVeil(ui, all, row, column);
  const ImU32 line = color(ui.colors().crosshair, 0.95F);
  if (pins.query)
    box(row, line, 1);
  if (pins.key)
    box(column, color(ui.colors().crosshair, 0.6F), 1);
  if (pins.query && pins.key)
    box({column.x0, row.y0, column.x1, row.y1}, line, 2);
}

void drawCrosshair(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Cell& cell) {
  const Clip clip(frame.area);
  const Rect row = rowBand(frame, lengths, cell.query);
  const Rect column = keyBand(frame, lengths, cell.key);
  const ImU32 line = color(ui.colors().crosshair, 0.30F);
  const float x = std::round(column.centerX());
  const float y = std::round(row.centerY());
  fill({row.x0, y, column.x0 - 1, y + 1}, line);
  fill({column.x1 + 1, y, row.x1, y + 1}, line);
  fill({x, column.y0, x + 1, row.y0 - 1}, line);
  fill({x, row.y1 + 1, x + 1, column.y1}, line);
  box({column.x0, row.y0, column.x1, row.y1}, color(ui.colors().crosshair, 0.95F), 1);
}

} // namespace attention::gui
