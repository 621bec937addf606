// Passes our events to ImGui and reads keys from it, the same in all its versions. Native key
// numbers are those of Key.
#pragma once

#include "app/gui/platform/event_queue.h"
#include "app/gui/platform/imgui_compat.h"

#include <span>

namespace attention::gui {

// Call it once, after the ImGui context was made: key map, no event trickling, keyboard navigation.
void setUpInput();

// Gives the events of one frame to ImGui; drops and resizes belong to the host and are skipped.
void feedInput(std::span<const Event> events);

// Whether the chord's key went down in this frame (or repeats, if asked) with exactly its
// modifiers. Does not check whether a text field is active: see typing().
bool chordPressed(Chord chord, bool repeat = false);

// Whether the key is held.
bool keyHeld(Key key);

// Whether a text field has the keyboard, so that single-letter shortcuts must wait.
bool typing();

// ---- who gets the arrow keys ----

// The arrow keys belong to the item drawn last while it has the keyboard: they do not move the
// focus.
void keepArrowsForItem();
// The arrow keys do not move the focus in this frame.
void keepArrows();
// The same for ← and → in a view, which has them while no focus is shown.
void keepSidewaysForView();

} // namespace attention::gui
