#include "app/gui/platform/host.h"

#include "app/gl/framebuffer.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/platform/surface.h"
#include "app/gui/platform/text_images.h"

#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attention::gui {
namespace {

// The ImGui context with its OpenGL backend, from construction to destruction.
class ImGuiSession {
public:
  ImGuiSession() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    setUpInput();
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~ImGuiSession() {
    ImGui::SetCurrentContext(context_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(context_);
  }
  ImGuiSession(ImGuiSession&&) = delete;

  void makeCurrent() const { ImGui::SetCurrentContext(context_); }

private:
  ImGuiContext* context_;
};

} // namespace

struct Host::State {
  std::unique_ptr<Surface> surface; // first: everything else needs its OpenGL context
  ImGuiSession session;
  TextImages textImages; // of the session
  std::optional<gl::Framebuffer> target;
  EventQueue events;
  Fonts fonts;
  ClipboardFunctions clipboard;
  std::string clipboardText; // the state last passed to ImGui
  float uiScale = 1;
  TypeFor type = TypeFor::Work;
  TypeFor builtFor = TypeFor::Work; // `fonts`
  float density = 0;
  int frames = 0;
  double start = 0;
  double lastFrame = 0;
  double lastEvent = 0;
  int framesSinceEvent = 0;
  bool focused = true;
  bool painted = true; // whether `target` holds the last frame

  explicit State(std::unique_ptr<Surface> made) : surface(std::move(made)) {
    clipboard.user = this;
    clipboard.get = [](void* user) {
      auto* state = static_cast<State*>(user);
      state->clipboardText = state->surface->clipboard();
      return state->clipboardText.c_str();
    };
    clipboard.set = [](void* user, const char* text) {
      static_cast<State*>(user)->surface->setClipboard(text);
    };
    setClipboardFunctions(clipboard);
    start = surface->seconds();
    lastFrame = start;
  }
  State(State&&) = delete;
  ~State() { makeCurrent(); } // for what its members destroy

  void makeCurrent() const {
    surface->makeCurrent();
    session.makeCurrent();
  }
  FrameInfo begin();
  void end();
  void paint();
  void takeEvents(FrameInfo& info);
  void fitFonts(const SurfaceSize& size);
  // Whether it has kept its size, and so its picture.
  bool fitTarget(const SurfaceSize& size);
};

void Host::State::takeEvents(FrameInfo& info) {
  surface->poll(events);
  const std::vector<Event> frame = events.takeFrame();
  feedInput(frame);
  for (const Event& event : frame) {
    if (const auto* drop = std::get_if<DropEvent>(&event))
      info.dropped.insert(info.dropped.end(), drop->files.begin(), drop->files.end());
    if (const auto* focus = std::get_if<FocusEvent>(&event))
      focused = focus->focused;
    if (std::holds_alternative<KeyEvent>(event) || std::holds_alternative<CharEvent>(event))
      info.keys.push_back(event);
  }
  ++framesSinceEvent;
  if (frame.empty())
    return;
  framesSinceEvent = 0;
  lastEvent = surface->seconds();
}

void Host::State::fitFonts(const SurfaceSize& size) {
  const float wanted = uiScale * size.scale;
  if (fonts.text != nullptr && wanted == fonts.scale && size.density == density && type == builtFor)
    return;
  const bool first = fonts.text == nullptr;
  fonts = buildFonts(wanted, size.density, type);
  textImages.useFonts(fonts, size.density);
  builtFor = type;
  density = size.density;
  if (!first)
    renewFontTexture();
}

bool Host::State::fitTarget(const SurfaceSize& size) {
  const auto pixels = [&](int points) {
    return std::max(1, static_cast<int>(std::lround(static_cast<float>(points) * size.density)));
  };
  const int width = pixels(size.width);
  const int height = pixels(size.height);
  if (target && target->width() == width && target->height() == height)
    return true;
  target.emplace(width, height);
  return false;
}

FrameInfo Host::State::begin() {
  makeCurrent();
  const bool whole = frames > 0 && std::exchange(painted, true); // ImGui's last drawing is gone
  FrameInfo info;
  takeEvents(info);
  const SurfaceSize size = surface->size();
  fitFonts(size);
  const bool same = fitTarget(size);
  info.last = whole && same ? &*target : nullptr;
  const double now = surface->seconds();
  const double step = frames == 0 ? 1.0 / 60 : std::max(now - lastFrame, 1e-4);
  lastFrame = now;
  info.number = frames;
  info.seconds = now - start;
  info.step = static_cast<float>(step);
  info.width = static_cast<float>(size.width);
  info.height = static_cast<float>(size.height);
  info.scale = uiScale * size.scale;
  info.density = size.density;
  info.focused = focused;
  info.minuteOfDay = surface->minuteOfDay();

  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(info.width, info.height);
  io.DisplayFramebufferScale = ImVec2(size.density, size.density);
  io.DeltaTime = info.step;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  textImages.beginFrame();
  return info;
}

void Host::State::paint() {
  makeCurrent();
  const gl::DrawInto drawing(*target);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  painted = true;
}

void Host::State::end() {
  ImGui::Render();
  painted = false;
  // Software OpenGL takes longer to paint a frame than scripts take to play it.
  if (surface->watched())
    paint();
  surface->setCursor(ImGui::GetMouseCursor());
  surface->present(*target);
  ++frames;
}

Host::Host(std::unique_ptr<Surface> surface, const HostOptions& options)
    : state_(std::make_unique<State>(std::move(surface))) {
  setUiScale(options.uiScale);
}

Host Host::window(const HostOptions& options) {
  return Host(makeWindowSurface(options), options);
}
Host Host::headless(const HostOptions& options) {
  return Host(makeHeadlessSurface(options), options);
}
Host Host::beside(const HostOptions& options) const {
  return Host(state_->surface->beside(options), options);
}
Host::~Host() = default;
Host::Host(Host&& other) noexcept = default;

void Host::makeCurrent() const {
  state_->makeCurrent();
}

void Host::frame(const std::function<void(const FrameInfo&)>& draw) {
  const FrameInfo info = state_->begin();
  try {
    draw(info);
  } catch (...) {
    ImGui::EndFrame();
    throw;
  }
  state_->end();
}

gl::Pixels Host::pixels() const {
  state_->makeCurrent();
  if (!state_->painted)
    state_->paint();
  return state_->target ? state_->target->read() : gl::Pixels{};
}

EventQueue& Host::events() {
  return state_->events;
}
const Fonts& Host::fonts() const {
  return state_->fonts;
}
void Host::setUiScale(float scale) {
  state_->uiScale = std::clamp(scale, 0.5F, 4.0F);
}
float Host::uiScale() const {
  return state_->uiScale;
}
void Host::setType(TypeFor use) {
  state_->type = use;
}
float Host::screenScale() const {
  return state_->surface->size().scale;
}

void Host::waitForEvents(double seconds) {
  if (state_->events.empty())
    state_->surface->wait(seconds);
}
void Host::wake() const {
  state_->surface->wake();
}

double Host::restSeconds() const {
  constexpr double kTooltipDue = 0.8;
  if (!state_->events.empty() || state_->framesSinceEvent < 3)
    return 0;
  if (state_->surface->seconds() - state_->lastEvent < kTooltipDue)
    return 1.0 / 30;
  return typing() ? 0.25 : 10;
}

bool Host::closing() const {
  return state_->surface->closing();
}
void Host::close() {
  state_->surface->close();
}
void Host::keepOpen() {
  state_->surface->keepOpen();
}
void Host::setTitle(const std::string& title) {
  state_->surface->setTitle(title);
}
void Host::resize(int width, int height) {
  state_->surface->resize(width, height);
}
std::optional<ScreenPoint> Host::position() const {
  return state_->surface->position();
}
void Host::setFullScreen(bool on) {
  state_->surface->setFullScreen(on);
}
bool Host::fullScreen() const {
  return state_->surface->fullScreen();
}
std::string Host::clipboard() const {
  return state_->surface->clipboard();
}
void Host::setClipboard(const std::string& text) {
  state_->surface->setClipboard(text);
}

} // namespace attention::gui
