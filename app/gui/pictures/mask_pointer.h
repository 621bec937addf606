// From the pointer and the keyboard over the matrix to edits of the Scene: zoom, pan, pins.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/raster_picture.h"
#include "app/gui/widgets/canvas.h"

#include <optional>

namespace attention::gui {

// Scroll zooms around the pointer, a drag pans, a click pins or unpins the query, Shift+click the
// key. Returns the cell under the pointer.
std::optional<Cell> pointAtMatrix(const ViewContext& context, const CanvasInput& input,
                                  const MaskFrame& frame, const Lengths& lengths);

// The same without pins and without pans of the left button, which draws.
void moveByPointer(const ViewContext& context, const CanvasInput& input, const MaskFrame& frame,
                   const Lengths& lengths);

// A click or drag moves the centre there, the wheel zooms about it.
void pointAtMinimap(const ViewContext& context, const CanvasInput& input, const Rect& map,
                    const MaskFrame& frame, const Lengths& lengths);

// Arrows move the pinned query (up, down) and key (left, right), with Shift by ten; + and − zoom
// about the middle. Call it in frames in which the view has the keyboard.
void pressKeys(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths);

// ---- the whole mask in a corner while only part of it is shown ----

// Where the minimap lies in the matrix's area; nothing while the whole mask is shown.
std::optional<Rect> minimapArea(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// Takes the pointer: call it after the matrix's own canvas, which lies below.
CanvasInput minimapInput(const Ui& ui, const Rect& area);

// The cell (query, key) under a point of the minimap, in cells.
std::pair<double, double> minimapCell(const Rect& area, const Lengths& lengths, float x, float y);

void drawMinimap(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                 const Rect& area, float density, RasterPicture& picture);

} // namespace attention::gui
