// Where the mask lies on the screen: the linear map between cells (queries downwards, keys to the
// right, in tokens; cell (i, j) covers [i, i + 1) × [j, j + 1)) and points of the window, and the
// ways in which pointer and keyboard move it. Cells are square.
//
// The Scene keeps a Camera (centre, and cells along the shorter side), so that a picture stays the
// same when the window is resized; a MaskFrame is that camera put into an area of the window.
#pragma once

#include "app/gui/widgets/widget_log.h"
#include "core/pattern/lengths.h"
#include "core/pattern/primitive.h"
#include "core/scene/scene.h"

#include <optional>

namespace attention::gui {

using CellRect = attention::Rect; // cells of the mask; Rect here is points of the window

struct MaskFrame {
  Rect area;         // points of the window that the matrix fills
  double query0 = 0; // at the upper edge of `area`, in cells
  double key0 = 0;   // at its left edge
  double scale = 1;  // points per cell

  float x(double key) const { return static_cast<float>(area.x0 + (key - key0) * scale); }
  float y(double query) const { return static_cast<float>(area.y0 + (query - query0) * scale); }
  double keyAt(float px) const { return key0 + (px - area.x0) / scale; }
  double queryAt(float py) const { return query0 + (py - area.y0) / scale; }
  bool operator==(const MaskFrame&) const = default;
};

// At the closest zoom this many cells lie along the shorter side (fewer in smaller masks).
constexpr double kFewestCells = 6;

// The camera in `area`; without one, the whole mask as large as it fits, centred.
MaskFrame frameOf(const Lengths& lengths, const std::optional<Camera>& camera, const Rect& area);

// Points per cell at which the whole mask just fits.
double fitScale(const Lengths& lengths, const Rect& area);

// Zooms by `factor` (> 1: nearer) so that the cell at point (x, y) stays there, as far as the
// limits allow: never further out than the whole mask, which fills as much of the area as it can.
// Nothing means the whole mask.
std::optional<Camera> zoomed(const MaskFrame& frame, const Lengths& lengths, double factor, float x,
                             float y);

// Moves the mask with the pointer by (dx, dy) points, within the same limits.
std::optional<Camera> panned(const MaskFrame& frame, const Lengths& lengths, float dx, float dy);

// Moves the centre to a cell (a click in the minimap).
std::optional<Camera> centredOn(const MaskFrame& frame, const Lengths& lengths, double query,
                                double key);

// Moves as little as shows the cells of `cells` that can be shown; the same camera if they are.
std::optional<Camera> showing(const MaskFrame& frame, const Lengths& lengths,
                              const std::optional<Camera>& camera, const CellRect& cells);

// The cell under a point; nothing outside the area or the mask.
struct Cell {
  Index query = 0;
  Index key = 0;
  bool operator==(const Cell&) const = default;
};
std::optional<Cell> cellAt(const MaskFrame& frame, const Lengths& lengths, float x, float y);

// The cells with any visible part.
CellRect visibleCells(const MaskFrame& frame, const Lengths& lengths);

// The matrix's outline in points, clipped to the area.
Rect maskOutline(const MaskFrame& frame, const Lengths& lengths);

// The same map over the outline only: for axes, which stand at the mask's edges.
MaskFrame cutToMask(const MaskFrame& frame, const Lengths& lengths);

} // namespace attention::gui
