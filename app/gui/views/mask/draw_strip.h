// The tools for drawing by hand, in a strip above the mask while it is drawn on: what every stroke
// needs. What is chosen once (sizes, mirrored, repeated) stands in the sidebar.
#pragma once

#include "app/gui/interface/view.h"

namespace attention::gui {

class ActionTable;

// Whether the strip is there.
bool hasDrawStrip(const ViewContext& context);
// Draws it at the top of the view. Returns where the room below it begins.
float drawDrawStrip(const ViewContext& context);

// What it presses.
void addDrawActions(ActionTable& table);

} // namespace attention::gui
