// What stands in Hashing where the Scene's pattern puts no tokens into groups: the patterns that
// do, on the present input.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// Below the view's words in `area`, the present window's; nothing where the view has its picture.
// An audience sees the pictures, but presses none.
void drawGroupingOffers(const PanelContext& c, const Rect& area, bool presented);

} // namespace attention::gui
