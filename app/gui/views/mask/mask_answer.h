// What the check of the first mask found, where it is seen at first glance: in words above the
// matrix, and as a mark on it. The inspector, which narrow windows fold, has the rest.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/mask_camera.h"

namespace attention::gui {

// Draws the words at the top of the view's area. Returns where the room below begins.
float drawCheckAnswer(const ViewContext& context);

// Frames and names the first cell whose key comes after the query's token.
void drawFirstFuture(const ViewContext& context, const MaskFrame& frame, const Lengths& lengths);

} // namespace attention::gui
