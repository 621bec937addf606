#include "app/gl/gl.h"

#include "app/gl/context.h"

#include "core/support/error.h"

#include <GLFW/glfw3.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace attention::gl {
namespace {

std::string lastGlfwError() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason is given";
}

bool isSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Ways to request a context, the best first. Over ssh -X and in x2go the display's own OpenGL (GLX)
// ends at 1.4, but EGL draws here and sends pictures.
struct Way {
  const char* name;
  int api;
  bool software;
};
constexpr std::array<Way, 4> kWays{
    {{"the display's own", GLFW_NATIVE_CONTEXT_API, false},
     {"EGL", GLFW_EGL_CONTEXT_API, false},
     {"EGL in software", GLFW_EGL_CONTEXT_API, true},
     {"the display's own in software", GLFW_NATIVE_CONTEXT_API, true}}};

// Makes Mesa draw in software, whatever other drivers there are; libraries loaded from now on read
// this.
void askForSoftware() {
  constexpr const char* kMesaEgl = "/usr/share/glvnd/egl_vendor.d/50_mesa.json";
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);        // NOLINT(concurrency-mt-unsafe): before any job
  ::setenv("__GLX_VENDOR_LIBRARY_NAME", "mesa", 1); // NOLINT(concurrency-mt-unsafe)
  if (std::error_code code; std::filesystem::exists(kMesaEgl, code))
    ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", kMesaEgl, 1); // NOLINT(concurrency-mt-unsafe)
}

constexpr const char* kWayOut = "draw without a display: attnx gui --screenshot FILE.png";

// Null where there is no such context.
GLFWwindow* opened(const WindowSpec& spec, int api) {
  glfwWindowHint(GLFW_CONTEXT_CREATION_API, api);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, spec.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "attnx");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attnx");
  return glfwCreateWindow(spec.width, spec.height, spec.title.c_str(), nullptr, nullptr);
}

} // namespace

// GLFW, and the way in which its first window got OpenGL.
struct WindowContext::Library {
  int api;

  explicit Library(int way) : api(way) {
    if (glfwInit() == GLFW_FALSE)
      throw Error(ErrorCode::Unsupported, "display",
                  "no window can be opened: " + lastGlfwError() + "; check DISPLAY, or " + kWayOut);
  }
  ~Library() { glfwTerminate(); }
  Library(Library&&) = delete;
};

WindowContext::WindowContext(const WindowSpec& spec, const WindowContext* beside) {
  if (beside != nullptr)
    openBeside(spec, *beside);
  else
    openFirst(spec);
}

void WindowContext::openFirst(const WindowSpec& spec) {
  std::string tried;
  for (const Way& way : kWays) {
    if (way.software)
      askForSoftware();
    // Again for every way: what a display offers is asked once.
    library_ = std::make_shared<Library>(way.api);
    window_ = opened(spec, way.api);
    if (window_ != nullptr) {
      makeCurrent();
      glfwSwapInterval(1);
      return;
    }
    tried += (tried.empty() ? "" : "; ") + std::string(way.name) + ": " + lastGlfwError();
    library_.reset();
  }
  throw Error(ErrorCode::Unsupported, "display",
              "no window with OpenGL 3.3 can be opened (" + tried +
                  "); install Mesa (Debian: apt-get install libgl1-mesa-dri libegl1), or " +
                  kWayOut);
}

void WindowContext::openBeside(const WindowSpec& spec, const WindowContext& beside) {
  library_ = beside.library_;
  window_ = opened(spec, library_->api);
  if (window_ == nullptr)
    throw Error(ErrorCode::Unsupported, "display",
                "no second window can be opened: " + lastGlfwError());
  makeCurrent();
  glfwSwapInterval(0); // the first one waits for the screen
}

WindowContext::~WindowContext() {
  glfwDestroyWindow(window_);
}

void WindowContext::makeCurrent() const {
  if (glfwGetCurrentContext() != window_)
    glfwMakeContextCurrent(window_);
}

bool displayAvailable() {
#if defined(__linux__)
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
#else
  return true;
#endif
}

std::string describeCurrentContext() {
  const auto text = [](GLenum what) {
    const GLubyte* value = glGetString(what);
    return value != nullptr ? std::string(reinterpret_cast<const char*>(value)) : std::string();
  };
  return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

} // namespace attention::gl
