// The tools for drawing by hand, in a strip above the mask while it is drawn on; before that, the
// button in its corner that opens the strip.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

class ActionTable;

// Draws them at the top of the view's area. Returns where the room below begins.
float drawMaskTools(const PanelContext& context, const Rect& area);

// Points that the button in the corner takes from the left of its line, with a gap beside it.
float drawPressRoom(const Ui& ui);

// What they press.
void addDrawActions(ActionTable& table);

} // namespace attention::gui
