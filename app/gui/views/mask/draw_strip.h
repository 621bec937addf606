// The tools for drawing by hand, in a strip above the mask while it is drawn on; before that, the
// button in its corner that opens the strip.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/panels/panel.h"

#include <optional>

namespace attention::gui {

class ActionTable;

// Draws them at the top of the view's area. Returns where the room below begins.
float drawMaskTools(const PanelContext& context, const Rect& area);

// Points from the left of the view and from its top that the button in the corner takes, with a gap
// beside it; nothing where it is not there.
std::optional<ImVec2> drawPressRoom(const ViewContext& context);

// What they press.
void addDrawActions(ActionTable& table);

} // namespace attention::gui
