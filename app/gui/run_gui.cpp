#include "app/gui/run_gui.h"

#include "app/gl/context.h"
#include "app/gui/actions/file_dialogs.h"
#include "app/gui/files/opening.h"
#include "app/gui/frame/application.h"
#include "app/gui/frame/frame_loop.h"
#include "app/gui/frame/open_view.h"
#include "app/gui/jobs/frame_gate.h"
#include "app/gui/overlays/overlays.h"
#include "app/gui/platform/monitor.h"
#include "app/gui/present/speaker_window.h"
#include "app/gui/state/document.h"
#include "app/gui/state/state_folder.h"
#include "core/export/embedded_scene.h"
#include "core/input/mask_file.h"
#include "core/scene/own_mask.h"
#include "core/scene/pattern_files.h"
#include "core/scene/scene_json.h"
#include "core/support/error.h"
#include "core/support/keep_memory.h"

#include <algorithm>
#include <iostream>

namespace attention::gui {
namespace {

void noteOnTerminal(const std::string& text) {
  std::cerr << "attnx: note: " << text << '\n';
}

// A scene, or a picture that carries one.
ReadScene sceneOf(const std::filesystem::path& file) {
  return mayCarryScene(file) ? sceneOfPicture(file) : readScene(file);
}

// What the window begins with.
struct Start {
  Scene scene;
  ReadInput read = {}; // its input, where it was read to find out what to begin with
  std::optional<HeldLength> held = {};
  std::vector<std::string> warnings = {}; // what of its files was left out
  std::string said = {};                  // how they were read
};

// Before its input is read; 0 where only that would tell.
Index tokensOf(const Start& start) {
  if (start.read.input)
    return start.read.input->keys;
  const auto& source = start.scene.input.source;
  if (const auto* random = std::get_if<RandomInput>(&source))
    return random->n;
  if (const auto* of = std::get_if<ModelInput>(&source))
    return of->n;
  return std::holds_alternative<FileInput>(source) ? 0 : kDefaultLength; // samples have more
}

// Of an input from a file. What is wrong with it, the window says.
void beginWithOwnMask(Start& start) {
  Scene& scene = start.scene;
  if (!std::holds_alternative<FileInput>(scene.input.source))
    return;
  try {
    start.read = readInput(scene.input, {}, Labels::Wanted);
    if (const auto own = beginningPattern(*start.read.input, scene.input)) {
      scene.pattern = *own;
      scene.mask.panels.clear();
    }
  } catch (const Error&) {
    return;
  }
}

// A mask that is named as the input becomes the pattern, as when it is opened in the window.
bool beginWithMask(Start& start, const InputSpec& named) {
  const auto* files = std::get_if<FileInput>(&named.source);
  if (!files || files->input.empty())
    return false;
  try {
    if (!isMaskFile(files->input))
      return false;
    InputSpec chosen = start.scene.input; // the named layer and head choose among several masks
    chosen.batch = named.batch;
    chosen.head = named.head;
    const OpenedMask mask = openMask(files->input, {}, chosen);
    mask.edit(start.scene);
    start.said = mask.said;
    return true;
  } catch (const Error&) { // the input's card reports the error
    return false;
  }
}

Start startOf(const GuiOptions& options, const SavedState& saved) {
  Start start{saved.scene.value_or(defaultScene())};
  Scene& scene = start.scene;
  if (!options.scene.empty()) {
    ReadScene read = sceneOf(options.scene);
    scene = std::move(read.scene);
    start.warnings = std::move(read.warnings);
  }
  const std::filesystem::path here = std::filesystem::current_path(); // the state is kept elsewhere
  if (options.input && !beginWithMask(start, *options.input)) {
    scene.input = *options.input;
    scene.length = LengthSpec();
    placeFiles(scene, here);
    if (options.scene.empty())
      beginWithOwnMask(start);
  }
  if (options.view && options.scene.empty())
    openIn(scene, *options.view, tokensOf(start), start.held);
  scene.view = options.view.value_or(scene.view);
  placeFiles(scene, here);
  return start;
}

std::string titleOf(const Document& document) {
  const std::string name = "Attention Explorer";
  if (document.file().empty())
    return name;
  return document.file().filename().string() + (document.changed() ? " • " : " — ") + name;
}

// A frame that nobody waits for comes after the timing sample in progress.
void letSampleEnd(Host& host, FrameGate& gate) {
  constexpr double kBetweenLooks = 0.01;
  if (!gate.sampling())
    return;
  gate.oweFrame();
  const Clock clock = steadyClock();
  const double until = clock() + FrameGate::kLongestSample;
  while (gate.sampling() && host.events().empty() && clock() < until)
    host.waitForEvents(kBetweenLooks);
}

// Memory freed by jobs is kept for the next ones, and returned once none has run for a while.
class KeptMemory {
public:
  void look(bool busy) {
    const double now = clock_();
    if (busy) {
      used_ = now;
      kept_ = true;
    } else if (kept_ && now - used_ > kRestSeconds) {
      giveFreedMemoryBack();
      kept_ = false;
    }
  }

private:
  static constexpr double kRestSeconds = 3;
  Clock clock_ = steadyClock();
  double used_ = 0;
  bool kept_ = true; // memory freed by the start
};

// Draws while something happens, and sleeps otherwise.
void loop(Host& host, Application& app, FrameGate& gate, float screenScale,
          const std::stop_token& stop) {
  const std::stop_callback wake(stop, [&host] { host.wake(); });
  int quiet = 0; // frames since the last job
  KeptMemory memory;
  std::string title;
  SpeakerWindow speaker(host);
  while (!host.closing() && !app.bench().wishes.quit && !stop.stop_requested()) {
    if (!host.events().empty())
      gate.inputCame();
    gate.frameBegins();
    host.frame([&](const FrameInfo& info) {
      if (!host.fullScreen()) { // the window's own size is what comes back
        app.bench().ui.width = unscaledLength(info.width, host.screenScale());
        app.bench().ui.height = unscaledLength(info.height, host.screenScale());
        if (const auto at = host.position()) {
          app.bench().ui.x = at->x;
          app.bench().ui.y = at->y;
        }
      }
      app.frame(info, host.fonts());
    });
    fulfil(host, app.bench(), screenScale);
    speaker.follow(app.bench());
    gate.frameEnds();
    if (const std::string next = titleOf(app.bench().document); next != title)
      host.setTitle(title = next);
    quiet = app.busy() || app.playing() || speaker.pending() ? 0 : quiet + 1;
    memory.look(quiet == 0);
    const double most = std::min(host.restSeconds(), speaker.restSeconds());
    if (const double rest = restBetweenFrames(most, quiet); rest > 0)
      host.waitForEvents(rest);
    letSampleEnd(host, gate);
  }
}

void tellOfStart(Notices& notices, const Start& start) {
  for (const std::string& warning : start.warnings)
    notices.add(NoteKind::Warning, warning);
  if (!start.said.empty())
    notices.add(NoteKind::Info, start.said);
}

void tellOfState(Notices& notices, const SavedState& saved) {
  for (const std::string& problem : saved.problems)
    notices.add(NoteKind::Warning, problem);
  if (!saved.others.empty())
    notices.add(NoteKind::Info, "A second window left its own scene: File > Recent > " +
                                    saved.others.front().filename().string());
}

void requireDisplay() {
  if (!gl::displayAvailable())
    throw Error(ErrorCode::Unsupported, "display",
                "display is missing, since neither DISPLAY nor WAYLAND_DISPLAY is set; connect by "
                "ssh -X, or draw without a display: attnx gui --screenshot FILE.png, or attnx "
                "figure NAME -o FILE");
}

// What the last window left; once, also where the terminal is looked at, that this one will leave
// nothing.
SavedState savedAt(const HeldPlace& held) {
  SavedState saved = loadState(held.place());
  if (!held.problem().empty()) {
    noteOnTerminal(held.problem());
    saved.problems.push_back(held.problem());
  }
  return saved;
}

int runWindow(const GuiOptions& options) {
  requireDisplay();
  const HeldPlace held(userStateFolder());
  SavedState saved = savedAt(held);
  if (options.dark)
    saved.ui.theme = *options.dark ? ThemeKind::Dark : ThemeKind::Light;
  for (const std::filesystem::path& other : saved.others)
    rememberFile(saved.ui, other.string());
  HostOptions window;
  const WindowSize size = startSize(options, saved.ui);
  window.width = size.width;
  window.height = size.height;
  window.uiScale = saved.ui.scale * options.uiScale;
  if (saved.ui.x && saved.ui.y)
    window.position = ScreenPoint{*saved.ui.x, *saved.ui.y};
  Host host = Host::window(window);
  const auto gate = std::make_shared<FrameGate>();
  Start start = startOf(options, saved);
  Application app({std::move(start.scene), saved.ui, held.place(), options.shaderFolder,
                   [&host] { host.wake(); }, Notices::kUsualSeconds, gate, options.watch,
                   std::move(start.read), start.held, true});
  tellOfState(app.bench().notices, saved);
  tellOfStart(app.bench().notices, start);
  startOpening(app.bench(), options.files);
  if (!held.place().folder.empty()) // else every start would be the first
    beginTour(app.bench());
  loop(host, app, *gate, options.uiScale, options.stop);
  app.bench().tasks.wait(); // files that are being written
  app.saveState();
  Run{options.stop, {}}.check();
  return 0;
}

} // namespace

WindowSize startSize(const GuiOptions& options, const UiState& remembered) {
  return options.size.value_or(WindowSize{remembered.width, remembered.height});
}

bool hasWindow() {
  return true;
}

int runGui(const GuiOptions& options) {
  if (options.screenshot.empty() && options.script.empty())
    return runWindow(options);
  const Start start = startOf(options, {});
  for (const std::string& warning : start.warnings)
    noteOnTerminal(warning);
  if (!start.said.empty())
    noteOnTerminal(start.said);
  return runHeadless(options, start.scene, start.read, start.held);
}

} // namespace attention::gui
