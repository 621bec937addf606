// The tools for drawing by hand, in a strip above the mask while it is drawn on; before that, the
// button in its corner that opens the strip.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

class ActionTable;

// Draws them at the top of the view's area. Returns where the room below begins.
float drawMaskTools(const PanelContext& context, const Rect& area);

// What they press.
void addDrawActions(ActionTable& table);

} // namespace attention::gui
