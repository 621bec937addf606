#include "app/gui/frame/frame_loop.h"

#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/opening.h"
#include "app/gui/frame/application.h"
#include "app/gui/present/speaker_window.h"
#include "app/gui/script/script_runner.h"
#include "app/gui/state/ui_state.h"
#include "core/export/embedded_scene.h"
#include "core/export/png_file.h"
#include "core/input/input.h"
#include "core/input/mapped_file.h"
#include "core/input/replace_file.h"
#include "core/model/model_input.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

namespace attention::gui {
namespace {

void fitPresentation(Host& host, Presentation& present) {
  const float before = host.uiScale();
  if (present.scale > 0)
    host.setUiScale(present.scale / host.screenScale());
  present.fitted = present.scale > 0 && host.uiScale() == before;
}

constexpr int kSettlingFrames = 3;             // after the jobs: their results are drawn
constexpr std::chrono::milliseconds kPause{2}; // between two checks of running jobs

// As a PNG that carries the Scene.
void writePicture(const std::filesystem::path& file, const gl::Pixels& pixels,
                  const Application& app) {
  std::vector<Color> colors;
  for (std::size_t at = 0; at + 3 < pixels.rgba.size(); at += 4)
    colors.push_back({pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2], 255});
  replaceFile(file, [&](std::ostream& out) {
    PngWriter writer(out, {pixels.width, pixels.height}, sceneLine(app.bench().document.scene()));
    writer.rows(colors);
    writer.finish();
  });
}

class Headless {
public:
  Headless(const GuiOptions& options, const Scene& scene, const ReadInput& read,
           const std::optional<HeldLength>& held)
      : options_(options), host_(Host::headless({"Attention Explorer", startSize(options, {}).width,
                                                 startSize(options, {}).height, options.uiScale})),
        app_({scene,
              habits(options),
              {},
              options.shaderFolder,
              {},
              Notices::kForever,
              {},
              options.watch,
              read,
              held}) {}

  int run() {
    int failures = 0;
    open();
    if (!options_.script.empty())
      failures = play();
    waitForJobs();
    if (!options_.screenshot.empty())
      write(options_.screenshot);
    if (options_.script.empty())
      requireInput();
    return failures > 0 ? 1 : 0;
  }

private:
  // What is wrong with a file, the window says in a note; here it is an error, as with other
  // commands.
  void open() {
    if (options_.files.empty())
      return;
    openFiles(options_.files, app_.bench().document.scene().input);
    startOpening(app_.bench(), options_.files);
  }

  // The window shows in its picture why an input cannot be read or has numbers that are not finite;
  // on the command line the error appears as with other commands. Scripts check whatever they want.
  void requireInput() {
    const Results& results = app_.bench().engine.results();
    for (const auto& problem : {results.input.problem, results.attention.problem})
      if (problem && (problem == results.input.problem || problem->code == ErrorCode::NonFinite))
        throw Error(problem->code, problem->subject, problem->text);
    if (results.input && !results.input->tokensProblem.empty())
      openInput(app_.bench().document.scene().input); // says it
  }

  static UiState habits(const GuiOptions& options) {
    UiState state;
    state.theme = options.dark.value_or(true) ? ThemeKind::Dark : ThemeKind::Light;
    state.scale = options.uiScale;
    return state;
  }

  void frame() {
    Run{options_.stop, {}}.check();
    host_.frame([this](const FrameInfo& info) { app_.frame(info, host_.fonts()); });
    fulfil(host_, app_.bench());
    speaker_.follow(app_.bench());
  }
  bool busy() const { return app_.busy() || speaker_.pending(); }

  void waitForJobs() {
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.waitSeconds);
    for (int quiet = 0; quiet < kSettlingFrames;) {
      frame();
      quiet = busy() ? 0 : quiet + 1;
      if (std::chrono::steady_clock::now() > until)
        return;
      if (quiet == 0)
        std::this_thread::sleep_for(kPause);
    }
  }

  void write(const std::filesystem::path& file) { writePicture(file, host_.pixels(), app_); }

  ScriptWorld world() {
    ScriptWorld world;
    world.busy = [this] { return busy(); };
    world.document = [this] { return nlohmann::json(toJson(app_.bench().document.scene())); };
    world.screenshot = [this](const std::string& file) { write(file); };
    world.speakerScreenshot = [this](const std::string& file) {
      if (speaker_.isOpen())
        writePicture(file, speaker_.pixels(), app_);
      return speaker_.isOpen();
    };
    world.resize = [this](int width, int height) { host_.resize(width, height); };
    return world;
  }

  int play() {
    ScriptRunner runner(parseScript(textOfFile(options_.script)), world());
    frame();
    while (runner.beforeFrame(app_.log(), host_.events())) {
      frame();
      if (busy())
        std::this_thread::sleep_for(kPause);
    }
    for (const ScriptFailure& failure : runner.failures())
      std::cerr << options_.script.string() << ": " << failure.message << '\n';
    return static_cast<int>(runner.failures().size());
  }

  const GuiOptions& options_;
  Host host_;
  Application app_; // its textures go before the host's context
  SpeakerWindow speaker_{host_};
};

} // namespace

void fulfil(Host& host, Workbench& bench, float launchScale) {
  if (const auto text = std::exchange(bench.wishes.clipboard, {}))
    host.setClipboard(*text);
  const bool full = bench.present ? bench.present->fullScreen : bench.fullScreen;
  if (host.fullScreen() != full)
    host.setFullScreen(full);
  host.setType(bench.present ? TypeFor::Presentation : TypeFor::Work);
  if (bench.present)
    fitPresentation(host, *bench.present);
  else
    host.setUiScale(bench.ui.scale * launchScale);
}

double restBetweenFrames(double host, int quiet) {
  constexpr int kSettling = 3;       // after the last job: its results are drawn
  constexpr double kRestless = 0.05; // seconds
  constexpr double kIdle = 1;        // notes fade and the state is saved even when nothing happens
  return std::min(host, quiet < kSettling ? kRestless : kIdle);
}

int runHeadless(const GuiOptions& options, const Scene& scene, const ReadInput& read,
                const std::optional<HeldLength>& held) {
  return Headless(options, scene, read, held).run();
}

} // namespace attention::gui
