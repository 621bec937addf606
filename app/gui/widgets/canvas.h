// An area of the view that takes the pointer: pan, zoom and clicks of pictures. The caller draws
// into `area` with the window's draw list.
#pragma once

#include "app/gui/widgets/ui.h"

namespace attention::gui {

struct CanvasInput {
  Rect area;
  bool hovered = false;
  float mouseX = 0; // points of the window
  float mouseY = 0;
  bool pressed = false;       // left button went down on it
  bool held = false;          // left button is down after it went down on it
  bool clicked = false;       // left button went up on it without a drag in between
  bool doubleClicked = false; // second press of a double click
  bool rightClicked = false;
  bool dragging = false;    // left or middle button is held after it went down on it and moved
  bool dragsMiddle = false; // by the middle button
  float dragX = 0;          // movement in this frame while dragging
  float dragY = 0;
  bool released = false; // a drag ended in this frame
  float scroll = 0;      // notches, > 0 away from the user; 0 if the wheel scrolls the view
  bool ctrl = false;
  bool shift = false;
  bool alt = false;
};

// Whether the wheel zooms the picture that the pointer is on, or scrolls the view.
enum class Wheel { Scrolls, Zooms };

// Reserves `size` at the cursor; recorded as Canvas with `label` and `value` (what a script may
// check).
CanvasInput canvas(const Ui& ui, std::string_view label, ImVec2 size, std::string value = {},
                   Wheel wheel = Wheel::Scrolls);

} // namespace attention::gui
