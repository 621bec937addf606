// Who gets the arrow keys.
#pragma once

namespace attention::gui {

// The arrow keys belong to the item drawn last while it has the keyboard: they move no focus.
void keepArrowsForItem();
// The arrow keys move no focus in this frame.
void keepArrows();
// The same of ← and → for a view, which has them while no focus is shown.
void keepSidewaysForView();

} // namespace attention::gui
