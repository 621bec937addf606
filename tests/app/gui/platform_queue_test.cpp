// The event queue: no event faster than a frame is lost.
#include "app/gui/platform/event_queue.h"
#include "app/gui/platform/host.h"
#include "app/gui/platform/imgui_input.h"
#include "tests/app/gui/tiny_window.h"
#include "tests/catch.h"

#include <random>

using namespace attention::gui;

namespace {

// Takes frames until the queue is empty; at most `most`.
std::vector<std::vector<Event>> drain(EventQueue& queue, std::size_t most = 1000) {
  std::vector<std::vector<Event>> frames;
  while (!queue.empty() && frames.size() < most)
    frames.push_back(queue.takeFrame());
  return frames;
}

} // namespace

TEST_CASE("A frame ends before the second change of the same key") {
  EventQueue queue;
  for (int tap = 0; tap < 2; ++tap) {
    queue.push(KeyEvent{Key::F5, true});
    queue.push(KeyEvent{Key::F5, false});
  }
  CHECK(drain(queue).size() == 4);
}

TEST_CASE("Different keys and movements share a frame") {
  EventQueue queue;
  queue.push(MouseMoveEvent{1, 1});
  queue.push(MouseMoveEvent{2, 2});
  queue.push(KeyEvent{Key::A, true});
  queue.push(KeyEvent{Key::Space, true});
  CHECK(drain(queue).size() == 1);
}

TEST_CASE("A press happens where the pointer was") {
  EventQueue queue;
  queue.push(MouseMoveEvent{1, 1});
  queue.push(MouseButtonEvent{0, true});
  queue.push(MouseMoveEvent{50, 50});
  queue.push(MouseButtonEvent{0, false});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 4);
  CHECK(frames[1].front() == Event(MouseButtonEvent{0, true}));
  CHECK(frames[2].front() == Event(MouseMoveEvent{50, 50}));
}

TEST_CASE("A drag is seen while its button is down and ends where the button is released") {
  EventQueue queue;
  queue.push(MouseButtonEvent{0, true});
  queue.push(MouseMoveEvent{20, 1});
  queue.push(MouseMoveEvent{50, 1});
  queue.push(MouseButtonEvent{0, false});
  queue.push(MouseMoveEvent{90, 1});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 4);
  CHECK(frames[0] == std::vector<Event>{MouseButtonEvent{0, true}});
  CHECK(frames[1] == std::vector<Event>{MouseMoveEvent{20, 1}, MouseMoveEvent{50, 1}});
  CHECK(frames[2] == std::vector<Event>{MouseButtonEvent{0, false}});
}

TEST_CASE("What is pressed or scrolled is hovered one frame earlier") {
  EventQueue queue;
  queue.push(MouseMoveEvent{20, 1});
  queue.push(MouseButtonEvent{0, true});
  queue.push(MouseButtonEvent{0, false});
  queue.push(MouseMoveEvent{30, 1});
  queue.push(ScrollEvent{0, 1});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 5);
  CHECK(frames[1].front() == Event(MouseButtonEvent{0, true}));
  CHECK(frames[4].front() == Event(ScrollEvent{0, 1}));
}

TEST_CASE("Modifiers are held while their key is handled") {
  EventQueue queue;
  queue.pushChord({Key::Z, true, true, false});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].size() == 3); // both modifiers and the key
  CHECK(frames[1].front() == Event(KeyEvent{Key::Z, false}));
}

TEST_CASE("A modifier that is released in the frame of its key waits for the next frame") {
  EventQueue queue;
  queue.push(KeyEvent{Key::LeftCtrl, true});
  queue.push(MouseButtonEvent{0, true});
  queue.push(KeyEvent{Key::LeftCtrl, false});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].size() == 2);
}

TEST_CASE("Text and editing keys keep their order") {
  EventQueue queue;
  queue.pushText("ab");
  queue.push(KeyEvent{Key::Backspace, true});
  queue.push(CharEvent{'c'});
  const auto frames = drain(queue);
  REQUIRE(frames.size() == 3);
  CHECK(frames[0].size() == 2);
  CHECK(frames[1].front() == Event(KeyEvent{Key::Backspace, true}));
  CHECK(frames[2].front() == Event(CharEvent{'c'}));
}

TEST_CASE("Frames hold all events in order whatever they are") {
  std::mt19937 random(7);
  EventQueue queue;
  std::vector<Event> all;
  const auto pick = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int i = 0; i < 2000; ++i) {
    Event event = CharEvent{U'x'};
    switch (pick(6)) {
    case 0:
      event = KeyEvent{static_cast<Key>(64 + pick(4)), pick(2) == 0};
      break;
    case 1:
      event = MouseButtonEvent{pick(3), pick(2) == 0};
      break;
    case 2:
      event = MouseMoveEvent{static_cast<float>(pick(100)), 1};
      break;
    case 3:
      event = ScrollEvent{0, 1};
      break;
    case 4:
      event = KeyEvent{Key::LeftShift, pick(2) == 0};
      break;
    default:
      break;
    }
    all.push_back(event);
    queue.push(event);
  }
  std::vector<Event> taken;
  for (const auto& frame : drain(queue, 5000)) {
    REQUIRE_FALSE(frame.empty()); // otherwise the queue would never run empty
    taken.insert(taken.end(), frame.begin(), frame.end());
  }
  CHECK(taken == all);
}

TEST_CASE("Ten fast taps and three double clicks all reach the window") {
  Host host = Host::headless({"", 100, 100, 1});
  int taps = 0;
  int doubles = 0;
  const auto draw = [&](const FrameInfo&) {
    taps += chordPressed({Key::F5}) ? 1 : 0;
    doubles += ImGui::IsMouseDoubleClicked(0) ? 1 : 0;
  };
  host.frame(draw);
  for (int i = 0; i < 10; ++i)
    host.events().pushChord({Key::F5});
  for (int click = 0; click < 6; ++click) {
    const auto x = static_cast<float>(20 + 30 * (click / 2)); // a pair at each of three places
    host.events().push(MouseMoveEvent{x, 20});
    host.events().push(MouseButtonEvent{0, true});
    host.events().push(MouseButtonEvent{0, false});
  }
  for (int i = 0; i < 60; ++i)
    host.frame(draw);
  CHECK(taps == 10);
  CHECK(doubles == 3);
}

TEST_CASE("Drags and clicks that are shorter than a frame keep their paths and places") {
  TinyWindow window;
  window.frame();
  window.frame();
  const Widget* picture = window.log.find("Mask");
  REQUIRE(picture != nullptr);
  const float x = picture->rect.x0 + 30;
  const float y = picture->rect.y0 + 20;
  constexpr int kTimes = 5;
  // As much as a hand can do in 30 ms: one event per millisecond, none in its own frame.
  for (int k = 0; k < kTimes; ++k) {
    EventQueue& events = window.host.events();
    events.push(MouseMoveEvent{x, y});
    events.push(MouseButtonEvent{0, true});
    for (int step = 1; step <= 12; ++step)
      events.push(MouseMoveEvent{x + static_cast<float>(5 * step), y});
    events.push(MouseButtonEvent{0, false});
    const float beside = x + static_cast<float>(10 + 20 * k); // too far apart for double clicks
    events.push(MouseMoveEvent{beside, y + 40});
    events.push(MouseButtonEvent{0, true});
    events.push(MouseButtonEvent{0, false});
    window.frame();
  }
  while (!window.host.events().empty())
    window.frame();
  window.frame();
  CHECK(window.panned == Approx(60 * kTimes));
  CHECK(window.canvasClicks == kTimes);
}

TEST_CASE("A slider follows a drag that is shorter than a frame") {
  TinyWindow window;
  window.frame();
  window.frame();
  const Widget* slider = window.log.find("stride ℓ");
  REQUIRE(slider != nullptr);
  const float x = slider->grip.centerX();
  const float y = slider->grip.centerY();
  EventQueue& events = window.host.events();
  events.push(MouseMoveEvent{x, y});
  events.push(MouseButtonEvent{0, true});
  events.push(MouseMoveEvent{x + 80, y});
  events.push(MouseButtonEvent{0, false});
  events.push(MouseMoveEvent{x - 40, y});
  for (int k = 0; k < 8; ++k)
    window.frame();
  CHECK(window.stride > 20);
  CHECK(window.strideSteps == 1);
}

TEST_CASE("Chords are parsed from their names") {
  for (const char* text : {"Ctrl+Z", "Ctrl+Shift+Z", "F5", "\\", "?", "Ctrl++", "Ctrl+-", "Left",
                           "Alt+F4", "1", "Esc", "Space", "Ctrl+,"}) {
    INFO(text);
    REQUIRE(parseChord(text).has_value());
    CHECK(toString(*parseChord(text)) == text);
  }
  CHECK(parseChord("ctrl+z") == parseChord("Ctrl+Z"));
  for (const char* text : {"", "Ctrl+", "Hyper+A", "F13", "F0", "Ctrl+Nothing", "AB", "F1x"}) {
    INFO(text);
    CHECK_FALSE(parseChord(text).has_value());
  }
}
