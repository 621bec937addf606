#include "app/gl/gl.h"

#include "app/gl/context.h"

#include "core/support/error.h"

#include <epoxy/egl.h>

#include <array>
#include <memory>
#include <utility>

namespace attention::gl {

struct HeadlessContext::Egl {
  // Initialised for all contexts on it.
  struct Display {
    EGLDisplay handle;
    explicit Display(EGLDisplay made) : handle(made) {}
    ~Display() { eglTerminate(handle); }
    Display(Display&&) = delete;
  };
  std::shared_ptr<Display> display;
  EGLContext context = EGL_NO_CONTEXT;

  Egl() = default;
  Egl(Egl&&) = delete;
  ~Egl() {
    if (!display)
      return;
    eglMakeCurrent(display->handle, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT)
      eglDestroyContext(display->handle, context);
  }

  // Empty when the context is current, else why not.
  std::string open(EGLDisplay candidate);
  std::string openOn(std::shared_ptr<Display> shared);
  bool makeCurrent() const {
    return eglGetCurrentContext() == context ||
           eglMakeCurrent(display->handle, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE;
  }
};

std::string HeadlessContext::Egl::open(EGLDisplay candidate) {
  EGLint major = 0;
  EGLint minor = 0;
  if (candidate == EGL_NO_DISPLAY || eglInitialize(candidate, &major, &minor) == EGL_FALSE)
    return "no such display";
  return openOn(std::make_shared<Display>(candidate));
}

std::string HeadlessContext::Egl::openOn(std::shared_ptr<Display> shared) {
  display = std::move(shared);
  const EGLDisplay on = display->handle;
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE)
    return "it has no desktop OpenGL";
  constexpr std::array<EGLint, 5> kConfig{EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                          EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = EGL_NO_CONFIG_KHR;
  EGLint count = 0;
  if (eglChooseConfig(on, kConfig.data(), &config, 1, &count) == EGL_FALSE || count == 0)
    config = EGL_NO_CONFIG_KHR;
  constexpr std::array<EGLint, 9> kContext{EGL_CONTEXT_MAJOR_VERSION,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           3,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE,
                                           EGL_TRUE,
                                           EGL_NONE};
  context = eglCreateContext(on, config, EGL_NO_CONTEXT, kContext.data());
  if (context == EGL_NO_CONTEXT)
    return "no OpenGL 3.3 core context";
  if (!makeCurrent())
    return "its context needs a surface";
  return {};
}

namespace {

bool clientHas(const char* extension) {
  return epoxy_has_egl_extension(EGL_NO_DISPLAY, extension);
}

std::array<EGLDeviceEXT, 8> devices(EGLint& count) {
  std::array<EGLDeviceEXT, 8> found{};
  count = 0;
  if (clientHas("EGL_EXT_device_enumeration") || clientHas("EGL_EXT_device_base"))
    eglQueryDevicesEXT(static_cast<EGLint>(found.size()), found.data(), &count);
  return found;
}

} // namespace

HeadlessContext::HeadlessContext(const HeadlessContext* beside) {
  if (beside != nullptr)
    openBeside(*beside);
  else
    openFirst();
}

void HeadlessContext::openFirst() {
  std::string tried;
  const auto attempt = [&](std::string route, EGLDisplay display) {
    auto egl = std::make_unique<Egl>();
    const std::string reason = egl->open(display);
    if (!reason.empty()) {
      tried += (tried.empty() ? "" : "; ") + route + ": " + reason;
      return false;
    }
    egl_ = std::move(egl);
    route_ = std::move(route);
    return true;
  };

  if (clientHas("EGL_MESA_platform_surfaceless") &&
      attempt("EGL without a surface", eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                                                EGL_DEFAULT_DISPLAY, nullptr)))
    return;
  EGLint count = 0;
  const auto found = devices(count);
  for (EGLint i = 0; i < count; ++i)
    if (attempt("EGL device " + std::to_string(i),
                eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT,
                                         found[static_cast<std::size_t>(i)], nullptr)))
      return;
  try {
    hidden_ = std::make_unique<WindowContext>(WindowSpec{"attnx", 64, 64, false});
    route_ = "hidden window";
  } catch (const Error& error) {
    throw Error(ErrorCode::Unsupported, "OpenGL",
                "no OpenGL 3.3 without a display (" + tried + "; hidden window: " + error.what() +
                    "); install Mesa (Debian: apt-get install libgl1-mesa-dri libegl1) or a "
                    "graphics driver with EGL");
  }
}

void HeadlessContext::openBeside(const HeadlessContext& beside) {
  route_ = beside.route_;
  if (beside.hidden_) {
    hidden_ =
        std::make_unique<WindowContext>(WindowSpec{"attnx", 64, 64, false}, beside.hidden_.get());
    return;
  }
  egl_ = std::make_unique<Egl>();
  if (const std::string reason = egl_->openOn(beside.egl_->display); !reason.empty())
    throw Error(ErrorCode::Unsupported, "OpenGL",
                "no second OpenGL 3.3 without a display (" + route_ + ": " + reason + ")");
}

HeadlessContext::~HeadlessContext() = default;

void HeadlessContext::makeCurrent() const {
  if (hidden_)
    hidden_->makeCurrent();
  else
    egl_->makeCurrent();
}

} // namespace attention::gl
