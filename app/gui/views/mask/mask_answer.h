// What the check of the first mask found, in words above the matrix, where it is seen at first
// glance. The inspector, which narrow windows fold, has the rest.
#pragma once

#include "app/gui/interface/view.h"

namespace attention::gui {

// Draws the words at the top of the view's area. Returns where the room below begins.
float drawCheckAnswer(const ViewContext& context);

} // namespace attention::gui
