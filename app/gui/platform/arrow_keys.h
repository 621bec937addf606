// Who gets the arrow keys.
#pragma once

namespace attention::gui {

// The arrow keys belong to the item drawn last while it has the keyboard: they move no focus.
void keepArrowsForItem();
// ← and → belong to the view while no focus is shown: they move none.
void keepSidewaysForView();

} // namespace attention::gui
