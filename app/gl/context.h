// A current OpenGL 3.3 core context (forward compatible), on a window or without a display.
//
// WindowContext owns a GLFW window. HeadlessContext needs no display: it tries EGL without a
// surface (Mesa), then an EGL device (NVIDIA), then a hidden GLFW window; its user draws into a
// Framebuffer of their own. Both are current on the thread that made them, from construction to
// destruction. One WindowContext per process: GLFW is global.
#pragma once

#include <memory>
#include <string>

struct GLFWwindow;

namespace attention::gl {

struct WindowSpec {
  std::string title;
  int width = 1440;
  int height = 900;
  bool visible = true;
};

class WindowContext {
public:
  // Tries the display's own OpenGL (GLX), an EGL context, and both again drawn in software. Error
  // Unsupported when there is no display, or none of these ways gives OpenGL 3.3: it names them.
  explicit WindowContext(const WindowSpec& spec);
  ~WindowContext();
  WindowContext(WindowContext&&) = delete;

  GLFWwindow* window() const { return window_; }

private:
  GLFWwindow* window_ = nullptr;
};

class HeadlessContext {
public:
  // Error Unsupported that names each way that was tried and why it failed.
  HeadlessContext();
  ~HeadlessContext();
  HeadlessContext(HeadlessContext&&) = delete;

  // "EGL without a surface", "EGL device 0" or "hidden window".
  const std::string& route() const { return route_; }

private:
  struct Egl;
  std::unique_ptr<Egl> egl_;
  std::unique_ptr<WindowContext> hidden_;
  std::string route_;
};

// Whether the process could open a window: false without DISPLAY or WAYLAND_DISPLAY on Linux.
bool displayAvailable();

// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 …" of the current context.
std::string describeCurrentContext();

} // namespace attention::gl
