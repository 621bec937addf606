// A current OpenGL 3.3 core context (forward compatible), on a window or without a display.
//
// WindowContext owns a GLFW window. HeadlessContext needs no display: it tries EGL without a
// surface (Mesa), then an EGL device (NVIDIA), then a hidden GLFW window; its user draws into a
// Framebuffer of their own. Both are current on the thread that made them after construction; of
// several, that one which was made current last, and none after one was destroyed. What is global,
// GLFW or the EGL display, is shared with the context that a further one is made beside, and ends
// with the last of them.
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
  // Tries the display's own OpenGL (GLX), an EGL context, and both again drawn in software; beside
  // another window only the way that gave that one. Error Unsupported when there is no display, or
  // none of these ways gives OpenGL 3.3: it names them.
  explicit WindowContext(const WindowSpec& spec, const WindowContext* beside = nullptr);
  ~WindowContext();
  WindowContext(WindowContext&&) = delete;

  void makeCurrent() const;
  GLFWwindow* window() const { return window_; }

private:
  struct Library;
  void openFirst(const WindowSpec& spec);
  void openBeside(const WindowSpec& spec, const WindowContext& beside);

  std::shared_ptr<Library> library_; // of all windows
  GLFWwindow* window_ = nullptr;
};

class HeadlessContext {
public:
  // Error Unsupported that names each way that was tried and why it failed. Beside another one: in
  // the same way.
  explicit HeadlessContext(const HeadlessContext* beside = nullptr);
  ~HeadlessContext();
  HeadlessContext(HeadlessContext&&) = delete;

  void makeCurrent() const;
  // "EGL without a surface", "EGL device 0" or "hidden window".
  const std::string& route() const { return route_; }

private:
  struct Egl;
  void openFirst();
  void openBeside(const HeadlessContext& beside);

  std::unique_ptr<Egl> egl_;
  std::unique_ptr<WindowContext> hidden_;
  std::string route_;
};

// Whether the process could open a window: false without DISPLAY or WAYLAND_DISPLAY on Linux.
bool displayAvailable();

// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 …" of the current context.
std::string describeCurrentContext();

} // namespace attention::gl
