// From the pointer and the keyboard over the matrix to edits of the Scene: zoom, pan, pins.
#pragma once

#include "app/gui/view/view.h"
#include "app/gui/views/mask_camera.h"
#include "app/gui/widgets/canvas.h"

#include <optional>

namespace attention::gui {

// Scroll zooms about the pointer, a drag pans, a click pins the query (or takes its pin away),
// Shift+click the key. Returns the cell under the pointer.
std::optional<Cell> pointAtMatrix(const ViewContext& context, const CanvasInput& input,
                                  const MaskFrame& frame, const Lengths& lengths);

// A click or drag moves the centre there, the wheel zooms about it.
void pointAtMinimap(const ViewContext& context, const CanvasInput& input, const Rect& map,
                    const MaskFrame& frame, const Lengths& lengths);

// Arrows move the pinned query (up, down) and key (left, right), with Shift by ten; + and − zoom
// about the middle. For the frame in which the view has the keyboard.
void pressKeys(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths);

} // namespace attention::gui
