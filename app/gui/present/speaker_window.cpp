#include "app/gui/present/speaker_window.h"

#include "app/gui/present/speaker_view.h"
#include "core/support/error.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace attention::gui {
namespace {

constexpr int kOwnWidth = 1200; // points, where it does not fill a screen
constexpr int kOwnHeight = 760;
constexpr double kSecondsGoOn = 0.25;             // between two frames in which nothing happens
constexpr std::chrono::milliseconds kPatience{2}; // of a frame, for quick pictures

// The main window's contexts are current again, whatever happens.
class BackTo {
public:
  explicit BackTo(const Host& main) : main_(main) {}
  ~BackTo() { main_.makeCurrent(); }
  BackTo(BackTo&&) = delete;

private:
  const Host& main_;
};

} // namespace

struct SpeakerWindow::Open {
  Host host;
  FigureThumbnails pictures; // their textures belong to the host's context
  WidgetLog log;

  Open(const Host& main, JobPool& pool)
      : host(main.beside({"Speaker view — Attention Explorer", kOwnWidth, kOwnHeight})),
        pictures(pool) {
    host.setType(TypeFor::Presentation);
  }
  Open(Open&&) = delete;
  ~Open() { host.makeCurrent(); }

  void frame(const Workbench& bench, EventQueue& keys);
  void draw(const Workbench& bench, const FrameInfo& info);
};

void SpeakerWindow::Open::draw(const Workbench& bench, const FrameInfo& info) {
  const Theme theme = makeTheme(bench.ui.theme);
  applyTheme(theme, info.scale);
  log.beginFrame();
  pictures.beginFrame(std::chrono::steady_clock::now() + kPatience);
  drawSpeaker(Ui{log, theme, host.fonts(), info.scale}, speakerWords(bench, info.minuteOfDay),
              pictures, {0, 0, info.width, info.height});
  pictures.endFrame();
}

void SpeakerWindow::Open::frame(const Workbench& bench, EventQueue& keys) {
  host.frame([&](const FrameInfo& info) {
    for (const Event& key : info.keys)
      keys.push(key);
    host.setUiScale(speakerScale(info.width, info.height) / host.screenScale());
    draw(bench, info);
  });
}

SpeakerWindow::SpeakerWindow(Host& main) : main_(main) {}

SpeakerWindow::~SpeakerWindow() {
  shut();
}

void SpeakerWindow::shut() {
  if (!open_)
    return;
  const BackTo back(main_);
  open_.reset();
}

void SpeakerWindow::follow(Workbench& bench) {
  if (!bench.present || !bench.present->speaker)
    return shut();
  const BackTo back(main_);
  try {
    if (!open_)
      open_ = std::make_unique<Open>(main_, bench.pool);
  } catch (const Error& error) {
    bench.present->speaker = false;
    bench.notices.add(NoteKind::Error, error.what());
    return;
  }
  if (open_->host.closing())
    bench.present->speaker = false; // shut after the next frame of the main window
  else
    open_->frame(bench, main_.events());
}

bool SpeakerWindow::pending() const {
  return open_ && open_->pictures.pending();
}

double SpeakerWindow::restSeconds() const {
  return open_ ? std::min(open_->host.restSeconds(), kSecondsGoOn)
               : std::numeric_limits<double>::infinity();
}

EventQueue& SpeakerWindow::events() {
  return open_->host.events();
}
const WidgetLog& SpeakerWindow::log() const {
  return open_->log;
}
gl::Pixels SpeakerWindow::pixels() const {
  const BackTo back(main_);
  return open_->host.pixels();
}
void SpeakerWindow::resize(int width, int height) {
  open_->host.resize(width, height);
}
void SpeakerWindow::close() {
  open_->host.close();
}

} // namespace attention::gui
