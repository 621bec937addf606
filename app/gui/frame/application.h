// The window's one frame function, the same with and without a display:
//
//   dropped files and finished tasks → results brought up to the Scene → draw (emits actions) →
//   shortcuts → apply the actions to the Scene → drop the rasters that nobody requested.
//
// Needs a current OpenGL context from construction to destruction (a Host's).
#pragma once

#include "app/gui/frame/view_fade.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/platform/host.h"
#include "app/gui/state/state_writer.h"

#include <array>
#include <memory>
#include <tuple>

namespace attention::gui {

struct ApplicationOptions {
  Scene scene;
  UiState habits;
  StatePlace state; // without a folder nothing is read or written
  std::filesystem::path shaderFolder;
  std::function<void()> wake; // called from any thread when a job has ended
  float noticeSeconds = Notices::kUsualSeconds;
  // Set where the host must keep frames apart from timing samples.
  std::shared_ptr<FrameGate> gate = {};
  bool watch = false;  // whether files that change are read again without being asked
  ReadInput read = {}; // the Scene's input, where it was read already
  std::optional<HeldLength> held = {}; // where the Scene's view was opened with few tokens
  bool moves = false; // whether one picture may fade into the next: not in pictures and scripts
};

// The view, and which of its pictures.
using ShownPicture = std::pair<View, std::string>;

// What a view was scrolled on: another picture or figure begins at its top.
struct ScrolledOver {
  ShownPicture picture;
  std::string title; // of a figure
};

class Application {
public:
  explicit Application(const ApplicationOptions& options);
  ~Application();
  Application(Application&&) = delete;

  // Between Host::frame's NewFrame and Render.
  void frame(const FrameInfo& info, const Fonts& fonts);

  // Whether jobs run, or the last frame's results are not those of the current Scene.
  bool busy() const;
  // Whether the next frame differs even though nobody does anything.
  bool playing() const { return bench_.playing || fade_.running(); }
  // Writes the window's state to its folder and returns once it is written.
  void saveState();

  Workbench& bench() { return bench_; }
  const Workbench& bench() const { return bench_; }
  WidgetLog& log() { return log_; }

private:
  void drawRegions(const FrameInfo& info, const Ui& ui, ActionSink& sink);
  void drawWindow(const FrameInfo& info, const PanelContext& context);
  void drawPresentation(const FrameInfo& info, const PanelContext& context);
  Rect drawView(const FrameInfo& info, const PanelContext& context, const Rect& area,
                const std::optional<RoomElsewhere>& imageRoom = {});
  float leastHeight(ViewContext context) const;
  bool viewBegins(const Scene& scene);
  void followPresentation(const FrameInfo& info);
  void remember(const FrameInfo& info);
  void playOn(const FrameInfo& info);
  void followFiles();

  JobPool pool_;
  Workbench bench_;
  WidgetLog log_;
  Thumbnails thumbnails_;
  FigureThumbnails figureThumbnails_;
  OffersCache offers_;
  std::filesystem::path shaderFolder_;
  std::array<std::unique_ptr<ViewPane>, kViewNames.size()> views_; // in the order of View
  std::size_t drawnView_ = 0;                                      // of these
  float framesPerSecond_ = 60;
  bool reloadsItself_ = false;
  int followedReloads_ = 0; // of the bench's
  StateWriter writer_;
  Scene rememberedScene_;
  UiState rememberedHabits_;
  double nextSave_ = 0;            // seconds since the first frame
  std::optional<float> sinceStep_; // seconds since the play's last step; none before its first
  ShownPicture playedPicture_;     // of the last frame
  ScrolledOver scrolledOver_;      // likewise
  bool moves_ = false;
  ViewFade fade_;
};

} // namespace attention::gui
