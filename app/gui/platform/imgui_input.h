// Our events into ImGui, and keys out of it, the same in all its versions. Native key numbers are
// those of Key.
#pragma once

#include "app/gui/platform/event_queue.h"
#include "app/gui/platform/imgui_compat.h"

#include <span>

namespace attention::gui {

// Once, after the ImGui context was made: key map, no trickling of its own, keyboard navigation.
void setUpInput();

// Gives the events of one frame to ImGui; drops and resizes are the host's and are skipped.
void feedInput(std::span<const Event> events);

// Whether the chord's key went down in this frame (or repeats, if asked) with exactly its
// modifiers. Does not ask whether a text field is active: see typing().
bool chordPressed(Chord chord, bool repeat = false);

// Whether the key is held.
bool keyHeld(Key key);

// Whether a text field takes the keyboard, so that single-letter shortcuts must wait.
bool typing();

// ---- who gets the arrow keys ----

// The arrow keys belong to the item drawn last while it has the keyboard: they move no focus.
void keepArrowsForItem();
// The arrow keys move no focus in this frame.
void keepArrows();
// The same of ← and → for a view, which has them while no focus is shown.
void keepSidewaysForView();

} // namespace attention::gui
