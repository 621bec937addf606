// What stands in Hashing where the Scene's pattern puts no tokens into groups: the patterns that
// do, on the present input.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// At the top of `room`, which the view left for them below its words. An audience sees the
// pictures, but presses none.
void drawGroupingOffers(const PanelContext& c, const Rect& room, bool presented);

} // namespace attention::gui
