#include "app/gui/platform/event_queue.h"

#include "app/gui/platform/utf8.h"

#include <algorithm>

namespace attention::gui {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// Keys that edit text instead of typing a character.
bool isEditing(Key key) {
  return key >= Key::Escape && key <= Key::End;
}

// What one frame has taken so far.
struct Taken {
  std::vector<Key> keys;
  std::vector<int> buttons;
  bool keyPressed = false; // any but modifiers
  bool editingKey = false;
  bool character = false;
  bool moved = false;
  bool scrolled = false;

  bool fits(const Event& event) const;
  void add(const Event& event);
};

// Since 1.89.8 ImGui presses and scrolls what may be overlapped only if it was hovered a frame
// before: buttons and the wheel wait after a movement.
bool Taken::fits(const Event& event) const {
  return std::visit(Overloaded{
                        [&](const KeyEvent& e) {
                          if (std::find(keys.begin(), keys.end(), e.key) != keys.end())
                            return false;
                          // A press in this frame must be seen with the modifiers it was made with.
                          if (isModifier(e.key) && (keyPressed || !buttons.empty() || scrolled))
                            return false;
                          return !(e.down && character);
                        },
                        [&](const CharEvent&) { return !editingKey && buttons.empty(); },
                        [&](const MouseMoveEvent&) { return buttons.empty() && !scrolled; },
                        [&](const MouseLeaveEvent&) { return buttons.empty() && !scrolled; },
                        [&](const MouseButtonEvent& e) {
                          // ImGui sees the path of a drag only while the button is down.
                          return !scrolled && !moved &&
                                 std::find(buttons.begin(), buttons.end(), e.button) ==
                                     buttons.end();
                        },
                        [&](const ScrollEvent&) { return buttons.empty() && !moved; },
                        [](const auto&) { return true; },
                    },
                    event);
}

void Taken::add(const Event& event) {
  std::visit(Overloaded{
                 [&](const KeyEvent& e) {
                   keys.push_back(e.key);
                   keyPressed = keyPressed || (e.down && !isModifier(e.key));
                   editingKey = editingKey || (e.down && isEditing(e.key));
                 },
                 [&](const CharEvent&) { character = true; },
                 [&](const MouseMoveEvent&) { moved = true; },
                 [&](const MouseButtonEvent& e) { buttons.push_back(e.button); },
                 [&](const ScrollEvent&) { scrolled = true; },
                 [](const auto&) {},
             },
             event);
}

} // namespace

std::vector<Event> EventQueue::takeFrame() {
  Taken taken;
  std::vector<Event> frame;
  while (!events_.empty() && taken.fits(events_.front())) {
    taken.add(events_.front());
    frame.push_back(std::move(events_.front()));
    events_.pop_front();
  }
  return frame;
}

void EventQueue::pushChord(Chord chord) {
  std::vector<Key> held;
  if (chord.ctrl)
    held.push_back(Key::LeftCtrl);
  if (chord.shift)
    held.push_back(Key::LeftShift);
  if (chord.alt)
    held.push_back(Key::LeftAlt);
  for (const Key key : held)
    push(KeyEvent{key, true});
  push(KeyEvent{chord.key, true});
  push(KeyEvent{chord.key, false});
  for (auto key = held.rbegin(); key != held.rend(); ++key)
    push(KeyEvent{*key, false});
}

void EventQueue::pushText(std::string_view utf8) {
  while (!utf8.empty())
    push(CharEvent{takeSign(utf8)});
}

} // namespace attention::gui
