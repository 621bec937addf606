// What the user did, in order: from GLFW's callbacks or from a script. Once a frame the queue gives
// the events of that frame: it stops before the second change of the same key or button, so that a
// tap or double click faster than a frame is seen as such by every version of ImGui.
#pragma once

#include "app/gui/platform/key.h"

#include <deque>
#include <string>
#include <variant>
#include <vector>

namespace attention::gui {

struct KeyEvent {
  Key key = Key::None;
  bool down = false;
  bool operator==(const KeyEvent&) const = default;
};
struct CharEvent {
  char32_t character = 0;
  bool operator==(const CharEvent&) const = default;
};
// In points of the window, origin at its top left.
struct MouseMoveEvent {
  float x = 0;
  float y = 0;
  bool operator==(const MouseMoveEvent&) const = default;
};
struct MouseLeaveEvent {
  bool operator==(const MouseLeaveEvent&) const = default;
};
struct MouseButtonEvent {
  int button = 0; // 0 left, 1 right, 2 middle
  bool down = false;
  bool operator==(const MouseButtonEvent&) const = default;
};
// In notches; y > 0 is away from the user.
struct ScrollEvent {
  float x = 0;
  float y = 0;
  bool operator==(const ScrollEvent&) const = default;
};
struct DropEvent {
  std::vector<std::string> files;
  bool operator==(const DropEvent&) const = default;
};
struct FocusEvent {
  bool focused = false;
  bool operator==(const FocusEvent&) const = default;
};
struct ResizeEvent {
  int width = 0;
  int height = 0;
  bool operator==(const ResizeEvent&) const = default;
};

using Event = std::variant<KeyEvent, CharEvent, MouseMoveEvent, MouseLeaveEvent, MouseButtonEvent,
                           ScrollEvent, DropEvent, FocusEvent, ResizeEvent>;

class EventQueue {
public:
  void push(Event event) { events_.push_back(std::move(event)); }
  // Presses and releases the chord: modifiers down, key, modifiers up.
  void pushChord(Chord chord);
  // Types the characters of a UTF-8 text.
  void pushText(std::string_view utf8);

  // The events of the next frame, taken from the queue. A frame ends before: the second change of
  // a key or button; a movement or scroll after a button changed (a press happens where it
  // happened); a button's change or a scroll after a movement (what is pressed was hovered, a drag
  // is seen with the button down); a character after an editing key was pressed, and a key after a
  // character (text and cursor keys keep their order).
  std::vector<Event> takeFrame();
  bool empty() const { return events_.empty(); }

private:
  std::deque<Event> events_;
};

} // namespace attention::gui
