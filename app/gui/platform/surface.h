// What a Host needs of the system: a current OpenGL context, size, time, clipboard, pointer shape.
// Two kinds: a GLFW window, and a framebuffer without a display.
#pragma once

#include "app/gl/framebuffer.h"
#include "app/gui/platform/event_queue.h"
#include "app/gui/platform/host.h"

#include <memory>
#include <optional>
#include <string>

namespace attention::gui {

struct SurfaceSize {
  int width = 0; // points
  int height = 0;
  float density = 1; // framebuffer pixels per point
  float scale = 1;   // the screen's scale factor for type, in points
};

class Surface {
public:
  virtual ~Surface() = default;

  // Its OpenGL context becomes the current one, as it is after construction.
  virtual void makeCurrent() const = 0;
  // Another one of its kind with a context of its own; a window on a screen that this one is not
  // on, where there is one.
  virtual std::unique_ptr<Surface> beside(const HostOptions& options) const = 0;
  virtual SurfaceSize size() const = 0;
  // Where its upper left corner is on the screen; nothing if the system does not say.
  virtual std::optional<ScreenPoint> position() const = 0;
  virtual void resize(int width, int height) = 0;
  // Seconds since the surface was made.
  virtual double seconds() const = 0;
  // Of local time, 0 … 1439; nothing where pictures may not depend on it.
  virtual std::optional<int> minuteOfDay() const = 0;
  // Pushes what the system has reported since the last call.
  virtual void poll(EventQueue& events) = 0;
  // Whether somebody sees every frame; if not, frames are painted only on request.
  virtual bool watched() const = 0;
  // Shows the finished frame.
  virtual void present(const gl::Framebuffer& frame) = 0;
  virtual void wait(double seconds) = 0;
  virtual void wake() const = 0;
  virtual bool closing() const = 0;
  virtual void close() = 0; // as if its user had asked for it
  virtual void keepOpen() = 0;
  virtual void setTitle(const std::string& title) = 0;
  virtual void setFullScreen(bool on) = 0;
  virtual bool fullScreen() const = 0;
  virtual std::string clipboard() const = 0;
  virtual void setClipboard(const std::string& text) = 0;
  // The pointer's shape, an ImGuiMouseCursor.
  virtual void setCursor(int shape) = 0;
};

std::unique_ptr<Surface> makeWindowSurface(const HostOptions& options);
std::unique_ptr<Surface> makeHeadlessSurface(const HostOptions& options);

} // namespace attention::gui
