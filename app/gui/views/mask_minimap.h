// The whole mask in a corner while only a part of it is shown; a click or drag moves there.
#pragma once

#include "app/gui/view/view.h"
#include "app/gui/views/mask_camera.h"
#include "app/gui/views/raster_picture.h"
#include "app/gui/widgets/canvas.h"

#include <optional>

namespace attention::gui {

// Where the minimap lies in the matrix's area; nothing while the whole mask is shown.
std::optional<Rect> minimapArea(const Ui& ui, const MaskFrame& frame, const Lengths& lengths);

// Takes the pointer: call after the matrix's own canvas, which lies below.
CanvasInput minimapInput(const Ui& ui, const Rect& area);

// The cell (query, key) under a point of the minimap, in cells.
std::pair<double, double> minimapCell(const Rect& area, const Lengths& lengths, float x, float y);

void drawMinimap(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                 const Rect& area, float density, RasterPicture& picture);

} // namespace attention::gui
