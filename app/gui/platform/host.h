// Where the window lives: a real window, or a framebuffer without a display. Both run the one frame
// function: events → ImGui → pixels. The host owns the OpenGL context, the ImGui context, the
// fonts and the event queue; what is drawn is the caller's.
//
//   Host host = Host::headless({.width = 1440, .height = 900});
//   host.frame([&](const FrameInfo& info) { drawEverything(info); });
//   gl::Pixels picture = host.pixels();
#pragma once

#include "app/gl/framebuffer.h"
#include "app/gl/pixels.h"
#include "app/gui/platform/event_queue.h"
#include "app/gui/platform/fonts.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::gui {

struct ScreenPoint {
  int x = 0; // screen coordinates
  int y = 0;
  bool operator==(const ScreenPoint&) const = default;
};

struct HostOptions {
  std::string title = "Attention Explorer";
  int width = 1440; // points; of a window at scale 1: it is larger by its screen's scale
  int height = 900;
  float uiScale = 1; // multiplies type and spacing; times the screen's own scale
  // What the clock shows without a display; nothing: no time. A window shows local time.
  std::optional<int> minuteOfDay = {};
  // Of a window, from the last time; it opens within the work area of a screen that there is.
  std::optional<ScreenPoint> position = {};
};

struct FrameInfo {
  int number = 0;                   // 0 for the first frame
  double seconds = 0;               // since the first frame; number / 60 without a display
  float step = 0;                   // seconds since the last frame; 1/60 without a display
  float width = 0;                  // points
  float height = 0;                 // points
  float scale = 1;                  // user's scale × screen's scale: multiply lengths by it
  float density = 1;                // framebuffer pixels per point
  bool focused = true;              // whether the window has the keyboard
  std::optional<int> minuteOfDay;   // of local time, 0 … 1439
  std::vector<std::string> dropped; // files dropped onto the window in this frame
  std::vector<Event> keys;          // and its keys and characters, in order
  // The picture of the last frame; null if it was not painted or had another size.
  const gl::Framebuffer* last = nullptr;
};

class Surface; // a window or a framebuffer (surface.h)

class Host {
public:
  // Error Unsupported without a display or OpenGL 3.3.
  static Host window(const HostOptions& options);
  // Needs no display; time advances 1/60 s per frame.
  static Host headless(const HostOptions& options);
  // A second window of the same kind, with OpenGL and ImGui contexts of its own, which are current
  // now; on a screen that this one is not on, where there is one. Error Unsupported where there can
  // be no other. This one must outlive it.
  Host beside(const HostOptions& options) const;
  ~Host();
  Host(Host&& other) noexcept;
  Host& operator=(Host&& other) = delete;

  // Its contexts become the current ones. Of several hosts, frame() and pixels() do so by
  // themselves; what belongs to a host is made and destroyed while its contexts are current.
  void makeCurrent() const;

  // One frame: takes the frame's events, runs `draw` between ImGui's NewFrame and Render, draws and
  // presents. The OpenGL context is current in `draw`, which may draw into framebuffers of its own.
  // If `draw` throws (never between an ImGui begin and end), the frame is ended without being
  // presented and the exception goes on.
  void frame(const std::function<void(const FrameInfo&)>& draw);

  // The picture of the last frame, at the framebuffer's size.
  gl::Pixels pixels() const;

  // Events of the next frames; a window's own events are pushed here too.
  EventQueue& events();
  const Fonts& fonts() const;

  // The scale of type and spacing, from the next frame on; clamped to 0.5 … 4.
  void setUiScale(float scale);
  float uiScale() const;
  // The screen's own factor.
  float screenScale() const;
  // What the fonts are for, from the next frame on.
  void setType(TypeFor use);

  // Sleeps until an event comes, wake() is called or the time is up. Returns at once without a
  // display, or while events wait in the queue.
  void waitForEvents(double seconds);
  // Ends waitForEvents; from any thread.
  void wake() const;

  // How long the caller may sleep when nothing of its own changes: 0 in the frames after an event,
  // short while a tooltip is due or a text cursor blinks, else 10 s.
  double restSeconds() const;

  // Whether the user asked to close the window, or close() did; keepOpen() takes that back (unsaved
  // work).
  bool closing() const;
  void close();
  void keepOpen();

  void setTitle(const std::string& title);
  // In points; without a display from the next frame on.
  void resize(int width, int height);
  // The position of the window's upper left corner; nothing if the system does not say.
  std::optional<ScreenPoint> position() const;
  // The whole area of the monitor that shows most of the window, and back; without a display it is
  // only remembered.
  void setFullScreen(bool on);
  bool fullScreen() const;

  // UTF-8 text of the clipboard (the host's own without a display).
  std::string clipboard() const;
  void setClipboard(const std::string& text);

private:
  explicit Host(std::unique_ptr<Surface> surface, const HostOptions& options);
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention::gui
