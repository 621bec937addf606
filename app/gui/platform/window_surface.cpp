#include "app/gl/gl.h"

#include "app/gl/context.h"
#include "app/gui/platform/monitor.h"
#include "app/gui/platform/surface.h"

#include <GLFW/glfw3.h>

#include <array>
#include <cctype>
#include <ctime>
#include <tuple>
#include <utility>

namespace attention::gui {
namespace {

static_assert(static_cast<int>(Key::Z) == GLFW_KEY_Z &&
              static_cast<int>(Key::End) == GLFW_KEY_END &&
              static_cast<int>(Key::F12) == GLFW_KEY_F12 &&
              static_cast<int>(Key::Backquote) == GLFW_KEY_GRAVE_ACCENT &&
              static_cast<int>(Key::KeypadEnter) == GLFW_KEY_KP_ENTER &&
              static_cast<int>(Key::RightSuper) == GLFW_KEY_RIGHT_SUPER);

// GLFW numbers keys by their place on an American keyboard; shortcuts use what is printed on them.
Key printedKey(int key, int scancode) {
  if (key > GLFW_KEY_GRAVE_ACCENT || key < GLFW_KEY_APOSTROPHE)
    return static_cast<Key>(key);
  const char* name = glfwGetKeyName(key, scancode);
  if (name == nullptr || name[0] == '\0' || name[1] != '\0')
    return static_cast<Key>(key);
  const auto sign = static_cast<unsigned char>(name[0]);
  if (std::isalnum(sign) != 0)
    return static_cast<Key>(std::toupper(sign));
  if (sign == '+')
    return Key::Equal;
  const std::string_view kept = "',-./;=[\\]`";
  return kept.find(static_cast<char>(sign)) != std::string_view::npos ? static_cast<Key>(sign)
                                                                      : static_cast<Key>(key);
}

class WindowSurface final : public Surface {
public:
  explicit WindowSurface(const HostOptions& options, const WindowSurface* beside = nullptr);
  ~WindowSurface() override;

  void makeCurrent() const override { context_.makeCurrent(); }
  std::unique_ptr<Surface> beside(const HostOptions& options) const override {
    return std::make_unique<WindowSurface>(options, this);
  }
  SurfaceSize size() const override;
  std::optional<ScreenPoint> position() const override { return position_; }
  void resize(int width, int height) override { glfwSetWindowSize(window(), width, height); }
  double seconds() const override { return glfwGetTime(); }
  std::optional<int> minuteOfDay() const override;
  void poll(EventQueue& events) override;
  bool watched() const override { return true; }
  void present(const gl::Framebuffer& frame) override;
  void wait(double seconds) override;
  void wake() const override { glfwPostEmptyEvent(); }
  bool closing() const override { return glfwWindowShouldClose(window()) == GLFW_TRUE; }
  void close() override { glfwSetWindowShouldClose(window(), GLFW_TRUE); }
  void keepOpen() override { glfwSetWindowShouldClose(window(), GLFW_FALSE); }
  void setTitle(const std::string& title) override { glfwSetWindowTitle(window(), title.c_str()); }
  void setFullScreen(bool on) override;
  bool fullScreen() const override { return glfwGetWindowMonitor(window()) != nullptr; }
  std::string clipboard() const override;
  void setClipboard(const std::string& text) override {
    glfwSetClipboardString(window(), text.c_str());
  }
  void setCursor(int shape) override;

private:
  GLFWwindow* window() const { return context_.window(); }
  void listen();
  ScreenArea area() const;
  void placeAt(const std::optional<ScreenPoint>& wanted);
  void placeBeside(const WindowSurface& other);
  void placeInside(const ScreenArea& inside, bool moved);
  void push(Event event) { pending_.push_back(std::move(event)); }
  static WindowSurface& of(GLFWwindow* window) {
    return *static_cast<WindowSurface*>(glfwGetWindowUserPointer(window));
  }
  static void onKey(GLFWwindow* window, int key, int scancode, int action, int modifiers);

  gl::WindowContext context_;
  std::vector<Event> pending_;
  std::array<GLFWcursor*, ImGuiMouseCursor_COUNT> cursors_{};
  int shape_ = ImGuiMouseCursor_Arrow;
  ScreenArea windowed_; // from before full screen
  std::optional<ScreenPoint> position_;
};

WindowSurface::WindowSurface(const HostOptions& options, const WindowSurface* beside)
    : context_({options.title, options.width, options.height, false},
               beside ? &beside->context_ : nullptr) {
  if (beside)
    placeBeside(*beside);
  else
    placeAt(options.position);
  // A click on the notes on another screen must not end the lecture.
  glfwSetWindowAttrib(window(), GLFW_AUTO_ICONIFY, GLFW_FALSE);
  cursors_[ImGuiMouseCursor_TextInput] = glfwCreateStandardCursor(GLFW_IBEAM_CURSOR);
  cursors_[ImGuiMouseCursor_ResizeEW] = glfwCreateStandardCursor(GLFW_HRESIZE_CURSOR);
  cursors_[ImGuiMouseCursor_ResizeNS] = glfwCreateStandardCursor(GLFW_VRESIZE_CURSOR);
  cursors_[ImGuiMouseCursor_Hand] = glfwCreateStandardCursor(GLFW_HAND_CURSOR);
  listen();
  glfwShowWindow(window());
}

ScreenArea WindowSurface::area() const {
  ScreenArea inside;
  glfwGetWindowPos(window(), &inside.x, &inside.y);
  glfwGetWindowSize(window(), &inside.width, &inside.height);
  return inside;
}

// As large as asked for at the screen's own scale, as all that is drawn in it is. Without a
// position of last time the system chooses one.
void WindowSurface::placeAt(const std::optional<ScreenPoint>& wanted) {
  ScreenArea inside = area();
  const float scale = size().scale;
  inside.width = scaledLength(inside.width, scale);
  inside.height = scaledLength(inside.height, scale);
  if (wanted)
    std::tie(inside.x, inside.y) = std::pair(wanted->x, wanted->y);
  placeInside(inside, wanted.has_value());
}

// Over all of a screen on which the other window is not; where there is only one screen, wherever
// the system places it.
void WindowSurface::placeBeside(const WindowSurface& other) {
  if (const auto screen = otherArea(other.area(), workAreas()))
    placeInside(*screen, true);
  else
    placeAt(std::nullopt);
}

// Within the work area of a screen that there is. `inside`: without the window's frame.
void WindowSurface::placeInside(const ScreenArea& inside, bool moved) {
  ScreenArea frame; // by how much it exceeds the window: left, top; left + right, top + bottom
  int right = 0;
  int bottom = 0;
  glfwGetWindowFrameSize(window(), &frame.x, &frame.y, &right, &bottom);
  frame.width = frame.x + right;
  frame.height = frame.y + bottom;
  const ScreenArea fit = fitted({inside.x - frame.x, inside.y - frame.y, inside.width + frame.width,
                                 inside.height + frame.height},
                                workAreas());
  glfwSetWindowSize(window(), fit.width - frame.width, fit.height - frame.height);
  if (moved)
    glfwSetWindowPos(window(), fit.x + frame.x, fit.y + frame.y);
  glfwGetError(nullptr); // Wayland neither tells nor takes positions
}

WindowSurface::~WindowSurface() {
  for (GLFWcursor* cursor : cursors_)
    if (cursor != nullptr)
      glfwDestroyCursor(cursor);
}

void WindowSurface::onKey(GLFWwindow* window, int key, int scancode, int action, int) {
  if (key != GLFW_KEY_UNKNOWN && action != GLFW_REPEAT) // ImGui repeats by itself
    of(window).push(KeyEvent{printedKey(key, scancode), action == GLFW_PRESS});
}

void WindowSurface::listen() {
  GLFWwindow* w = window();
  glfwSetWindowUserPointer(w, this);
  glfwSetKeyCallback(w, onKey);
  glfwSetCharCallback(
      w, [](GLFWwindow* x, unsigned sign) { of(x).push(CharEvent{static_cast<char32_t>(sign)}); });
  glfwSetCursorPosCallback(w, [](GLFWwindow* x, double px, double py) {
    of(x).push(MouseMoveEvent{static_cast<float>(px), static_cast<float>(py)});
  });
  glfwSetCursorEnterCallback(w, [](GLFWwindow* x, int entered) {
    if (entered == GLFW_FALSE)
      of(x).push(MouseLeaveEvent{});
  });
  glfwSetMouseButtonCallback(w, [](GLFWwindow* x, int button, int action, int) {
    of(x).push(MouseButtonEvent{button, action == GLFW_PRESS});
  });
  glfwSetScrollCallback(w, [](GLFWwindow* x, double dx, double dy) {
    of(x).push(ScrollEvent{static_cast<float>(dx), static_cast<float>(dy)});
  });
  glfwSetDropCallback(w, [](GLFWwindow* x, int count, const char** paths) {
    of(x).push(DropEvent{{paths, paths + count}});
  });
  glfwSetWindowFocusCallback(
      w, [](GLFWwindow* x, int focused) { of(x).push(FocusEvent{focused == GLFW_TRUE}); });
  glfwSetWindowSizeCallback(w, [](GLFWwindow* x, int width, int height) {
    of(x).push(ResizeEvent{width, height});
  });
  glfwSetWindowPosCallback(w, [](GLFWwindow* x, int left, int top) {
    if (glfwGetWindowAttrib(x, GLFW_ICONIFIED) == GLFW_FALSE)
      of(x).position_ = ScreenPoint{left, top};
  });
  glfwSetWindowRefreshCallback(w, [](GLFWwindow* x) {
    SurfaceSize s = of(x).size();
    of(x).push(ResizeEvent{s.width, s.height});
  });
}

SurfaceSize WindowSurface::size() const {
  SurfaceSize s;
  int pixelWidth = 0;
  int pixelHeight = 0;
  float contentX = 1;
  float contentY = 1;
  glfwGetWindowSize(window(), &s.width, &s.height);
  glfwGetFramebufferSize(window(), &pixelWidth, &pixelHeight);
  glfwGetWindowContentScale(window(), &contentX, &contentY);
  if (s.width > 0 && pixelWidth > 0)
    s.density = static_cast<float>(pixelWidth) / static_cast<float>(s.width);
  s.scale = saneScale(contentX) / s.density;
  return s;
}

std::optional<int> WindowSurface::minuteOfDay() const {
  constexpr int kMinutes = 60;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (::localtime_r(&now, &local) == nullptr)
    return std::nullopt;
  return local.tm_hour * kMinutes + local.tm_min;
}

void WindowSurface::poll(EventQueue& events) {
  glfwPollEvents();
  for (Event& event : std::exchange(pending_, {}))
    events.push(std::move(event));
}

void WindowSurface::present(const gl::Framebuffer& frame) {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window(), &width, &height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, frame.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, frame.width(), frame.height(), 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glfwSwapBuffers(window());
}

void WindowSurface::wait(double seconds) {
  if (pending_.empty())
    glfwWaitEventsTimeout(seconds);
}

void WindowSurface::setFullScreen(bool on) {
  if (on == fullScreen())
    return;
  if (on) {
    GLFWmonitor* monitor = monitorOf(window());
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr)
      return;
    glfwGetWindowPos(window(), &windowed_.x, &windowed_.y);
    glfwGetWindowSize(window(), &windowed_.width, &windowed_.height);
    glfwSetWindowMonitor(window(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else { // the screen that it was on may be gone
    const ScreenArea back = fitted(windowed_, workAreas());
    glfwSetWindowMonitor(window(), nullptr, back.x, back.y, back.width, back.height, 0);
  }
}

std::string WindowSurface::clipboard() const {
  const char* text = glfwGetClipboardString(window());
  return text != nullptr ? text : "";
}

void WindowSurface::setCursor(int shape) {
  if (shape == shape_)
    return;
  shape_ = shape;
  glfwSetInputMode(window(), GLFW_CURSOR,
                   shape == ImGuiMouseCursor_None ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
  const bool known = shape >= 0 && shape < ImGuiMouseCursor_COUNT;
  glfwSetCursor(window(), known ? cursors_[static_cast<std::size_t>(shape)] : nullptr);
}

} // namespace

std::unique_ptr<Surface> makeWindowSurface(const HostOptions& options) {
  return std::make_unique<WindowSurface>(options);
}

} // namespace attention::gui
