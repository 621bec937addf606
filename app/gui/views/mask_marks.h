// What lies over the picture of a matrix: gaps between large cells, the pinned row and column, the
// crosshair and the cell under the pointer.
#pragma once

#include "app/gui/views/mask_camera.h"
#include "app/gui/widgets/ui.h"

namespace attention::gui {

// Thin lines of the ground between cells that are drawn as squares; `density` is pixels per point.
void drawGaps(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, float density);

// The frame around the mask.
void drawOutline(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// Frames the pinned row and the pinned column; with `pale` all else becomes paler, which colours
// that stand for numbers must not.
void drawPins(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Pins& pins,
              bool pale);

// Lines through a cell and a box around it.
void drawCrosshair(const Ui& ui, const MaskFrame& frame, const Lengths& lengths, const Cell& cell);

} // namespace attention::gui
