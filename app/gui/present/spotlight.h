// A light on what is pointed at: all else is dimmed.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

// Dims `area` of the window but for a disk around the pointer, over all that is drawn; nothing
// where the pointer is outside of it.
void drawSpotlight(const Ui& ui, const Rect& area);

} // namespace attention::gui
