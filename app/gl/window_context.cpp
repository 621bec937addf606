#include "app/gl/gl.h"

#include "app/gl/context.h"

#include "core/support/error.h"

#include <GLFW/glfw3.h>

#include <cstdlib>

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

} // namespace

WindowContext::WindowContext(const WindowSpec& spec) {
  if (glfwInit() == GLFW_FALSE)
    throw Error(ErrorCode::Unsupported, "display", "no window can be opened: " + lastGlfwError());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, spec.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "attnx");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attnx");
  window_ = glfwCreateWindow(spec.width, spec.height, spec.title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) {
    const std::string reason = lastGlfwError();
    glfwTerminate();
    throw Error(ErrorCode::Unsupported, "display",
                "no window with OpenGL 3.3 can be opened: " + reason);
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
}

WindowContext::~WindowContext() {
  glfwDestroyWindow(window_);
  glfwTerminate();
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
