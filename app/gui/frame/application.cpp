#include "app/gui/frame/application.h"

#include "app/gui/actions/file_dialogs.h"
#include "app/gui/frame/bars.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"
#include "app/gui/lessons/lesson.h"
#include "app/gui/overlays/overlays.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/side_panels.h"
#include "app/gui/platform/imgui_input.h"
#include "app/gui/present/present_stage.h"
#include "app/gui/widgets/region.h"
#include "app/gui/widgets/widget_log.h"
#include "core/input/assets.h"
#include "core/scene/pattern_files.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <utility>

namespace attention::gui {
namespace {

constexpr float kSidebarWidth = 320; // at scale 1
constexpr float kLeastSidebar = 240; // where that leaves the view too little
constexpr float kSidebarShare = 0.36F;
constexpr float kNarrowView = 480;
constexpr float kInspectorWidth = 340;
constexpr float kInspectorFrom = 1200; // narrower windows fold the inspector
constexpr float kSidebarFrom = 640;    // and these the sidebar
constexpr float kBothFrom = 880;       // narrower ones show one of them at a time
constexpr float kPadding = 18;         // at the sides
constexpr float kLessonShare = 0.5F;   // of the height, at most
constexpr double kSecondsBetweenSaves = 2;
constexpr float kPointerRests = 2; // seconds, then it is hidden from an audience
// A sidebar that unfolds takes neither the focus nor a press in progress.
constexpr ImGuiWindowFlags kBeside = ImGuiWindowFlags_NoFocusOnAppearing;
constexpr std::chrono::milliseconds kPatience{6}; // of a frame, for what is quick

float sidebarWidth(const Ui& ui, float window) {
  return std::clamp(std::floor(kSidebarShare * window), ui.px(kLeastSidebar), ui.px(kSidebarWidth));
}

// In a window of `width` points at scale 1. Where both would leave only a sliver for the view,
// opening the inspector hides the sidebar until one of them is opened again.
void foldForWidth(Workbench& bench, float width) {
  bench.narrow = width < kInspectorFrom;
  if (width < kSidebarFrom) {
    bench.slim = true;
    return;
  }
  using Side = Workbench::Side;
  const bool one = width < kBothFrom;
  if (one && !bench.slim && bench.inspectorNarrow) {
    bench.slim = true;
    bench.slimSide = Side::Inspector;
  } else if (bench.slim && !(one && bench.slimSide == Side::Inspector)) {
    bench.slim = false;
    if (one)
      bench.inspectorNarrow = false;
  }
}

ShownPicture shownPicture(const Scene& scene) {
  const auto picture = unitOf(scene.view).picture;
  return {scene.view, picture ? picture(scene) : std::string()};
}

float listedHeight(const Ui& ui, const Scene& scene, const Rect& area) {
  const bool narrow = area.x1 - area.x0 < ui.px(kNarrowView);
  const WindowView& view = windowView(scene.view);
  if (view.leastHeightOf)
    return ui.px(view.leastHeightOf(scene, narrow));
  return ui.px(narrow ? view.leastHeightNarrow : view.leastHeight);
}

// The area of `height` points of content when a region over `area` shows part of it.
Rect scrolled(const Rect& area, float height) {
  const float top = area.y0 - ImGui::GetScrollY();
  return {area.x0, top, area.x1 - ImGui::GetStyle().ScrollbarSize, top + height};
}

// The scrolling content ends there, wherever its last item is.
void endAt(float bottom) {
  ImGui::SetCursorScreenPos(ImVec2(ImGui::GetCursorScreenPos().x, bottom - 1));
  ImGui::Dummy(ImVec2(1, 1));
}

} // namespace

Application::Application(const ApplicationOptions& options)
    : pool_(options.wake), bench_(pool_, options.scene, options.habits), thumbnails_(pool_),
      figureThumbnails_(pool_), shaderFolder_(options.shaderFolder), reloadsItself_(options.watch),
      writer_(options.state), rememberedScene_(options.scene), rememberedHabits_(options.habits),
      playedPicture_(shownPicture(options.scene)), moves_(options.moves) {
  std::transform(windowViews().begin(), windowViews().end(), views_.begin(),
                 [&](const WindowView& view) { return view.pane(options.shaderFolder); });
  bench_.engine.measureBeside(options.gate);
  takeRead(bench_, options.read);
  bench_.held = options.held;
  bench_.notices = Notices(options.noticeSeconds);
  bench_.tasks.start("reading the figures", [](const Run&) -> Finish {
    return [figures = readFigures(assetFolder())](Workbench& b) { b.figures = figures; };
  });
  startReadingLessons(bench_);
}

Application::~Application() = default;

void Application::frame(const FrameInfo& info, const Fonts& fonts) {
  const Deadline patience = std::chrono::steady_clock::now() + kPatience;
  std::vector<std::filesystem::path> dropped(info.dropped.begin(), info.dropped.end());
  followPresentation(info);
  startOpening(bench_, std::move(dropped));
  bench_.tasks.finish(bench_);
  foldForWidth(bench_, info.width / info.scale);
  if (info.step > 0 && info.step < 0.1F)
    framesPerSecond_ += 0.1F * (1 / info.step - framesPerSecond_);
  playOn(info);
  followFiles();
  if (const EditOfScene follows = bench_.engine.amendment(bench_.document.scene(), patience))
    bench_.document.amend(follows);
  bench_.engine.update(bench_.document.scene(), bench_.hover, patience);
  startWaiting(bench_);
  bench_.rasters.beginFrame(patience);
  const InputSpec& spec = bench_.document.scene().input;
  figureThumbnails_.beginFrame(patience);
  thumbnails_.beginFrame(patience, bench_.engine.results().input.value, spec.batch, spec.head);

  const Theme theme = makeTheme(bench_.present ? bench_.ui.presentTheme : bench_.ui.theme);
  applyTheme(theme, info.scale);
  log_.beginFrame();
  const bool overlaid = isOpen(bench_.overlay);
  if (!std::holds_alternative<PaletteState>(bench_.overlay)) // there the arrows choose
    moveByTab(log_, overlayScope(bench_.overlay));
  pressFocusedByEnter();
  if (moves_ && bench_.ui.motion)
    fade_.follow(bench_.document.scene(), !busy(), info);
  else
    fade_.skip(bench_.document.scene());
  ActionSink sink;
  drawRegions(info, Ui{log_, theme, fonts, info.scale}, sink);
  if (!overlaid) // else the overlay has the keys
    runShortcuts(bench_.actions, bench_);
  gui::apply(bench_, sink.take()); // fully qualified: std::apply would match otherwise
  bench_.rasters.endFrame();
  figureThumbnails_.endFrame();
  thumbnails_.endFrame();
  remember(info);
}

void Application::drawRegions(const FrameInfo& info, const Ui& ui, ActionSink& sink) {
  const Results& results = bench_.engine.results();
  const PanelContext c{
      bench_.document.scene(),
      results,
      ui,
      bench_.ui,
      bench_.document,
      bench_.figures,
      offers_.update(offersKey(bench_.document.scene(), bench_.ui.recentPatterns, results)),
      thumbnails_,
      figureThumbnails_,
      bench_.memory,
      sink,
      bench_.playing,
      bench_.hover};
  if (bench_.present)
    drawPresentation(info, c);
  else
    drawWindow(info, c);
}

void Application::drawWindow(const FrameInfo& info, const PanelContext& c) {
  const Ui& ui = c.ui;
  const float menu = ui.px(kMenuHeight);
  const float bottom = info.height - ui.px(kStatusHeight);
  const float left = sidebarShown(bench_) ? sidebarWidth(ui, info.width) : 0;
  const float right = info.width - (inspectorShown(bench_) ? ui.px(kInspectorWidth) : 0);
  // Beside a sidebar a slim window has no room for the words of a lesson.
  Rect band{bench_.slim ? 0 : left, menu, bench_.slim ? info.width : right, 0};
  band.y1 = menu + lessonHeight(bench_, ui, band.x1 - band.x0, (bottom - menu) * kLessonShare);
  const float top = bench_.slim ? band.y1 : menu; // of what stands at the sides
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(kPadding), ui.px(12)));
  drawMenuBar(bench_, c, {0, 0, info.width, menu});
  if (left > 0) {
    const Region region(ui, "Sidebar", {0, top, left, bottom}, ui.colors().panel, kBeside);
    setContentRight(left - ui.px(kScrollRoom));
    drawSidebar(c);
  }
  if (const ImVec2 mouse = ImGui::GetMousePos();
      mouse.x < left || mouse.y < top || mouse.y >= bottom)
    bench_.memory.tallest.clear(); // nobody is moving from the view to the inspector
  if (right < info.width) {
    const Region region(ui, "Inspector", {right, top, info.width, bottom}, ui.colors().panel,
                        kBeside);
    setContentRight(info.width - ui.px(kScrollRoom));
    drawInspector(c);
  }
  drawStatusBar(bench_, c, {0, bottom, info.width, info.height}, framesPerSecond_);
  ImGui::PopStyleVar();
  if (lessonStep(bench_))
    drawLesson(bench_, c, band);
  const Rect area{left, band.y1, right, bottom};
  bench_.notices.draw(ui, drawView(info, c, area), info.step);
  drawOverlay(bench_, c);
  if (!isOpen(bench_.overlay)) {
    drawLessonControl(bench_, ui);
    unfoldForLesson(bench_, ui);
  }
}

// Words, picture, footer; nothing until the fonts have their size, or while the screen is black.
void Application::drawPresentation(const FrameInfo& info, const PanelContext& c) {
  const Presentation& present = *bench_.present;
  const Rect all{0, 0, info.width, info.height};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (present.blank || !present.fitted) {
    drawNothing(c.ui, all, present.blank);
    ImGui::PopStyleVar();
    return drawOverlay(bench_, c);
  }
  const PresentWords said = presentWords(bench_, c, info.minuteOfDay);
  const Stage stage = stageOf(c.ui, said, all);
  drawStage(c, said, stage);
  ImGui::PopStyleVar();
  std::optional<RoomElsewhere> imageRoom;
  if (stage.image)
    imageRoom = RoomElsewhere{kStageRegion, *stage.image};
  bench_.notices.draw(c.ui, drawView(info, c, stage.picture, imageRoom), info.step);
  if (isOpen(bench_.overlay))
    return drawOverlay(bench_, c);
  drawLessonControl(bench_, c.ui);
  if (present.spotlight)
    drawSpotlight(c.ui, all);
  else if (present.still > kPointerRests)
    ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  keepArrows(); // they step
}

// Its time goes on and its type size follows the window's; dropped files end it.
void Application::followPresentation(const FrameInfo& info) {
  if (!info.dropped.empty())
    stopPresenting(bench_);
  if (!bench_.present)
    return;
  Presentation& present = *bench_.present;
  if (!present.began)
    present.began = info.seconds;
  present.elapsed = info.seconds - *present.began;
  present.scale = presentScale(info.width, info.height) * present.zoom;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  present.still = moved.x == 0 && moved.y == 0 ? present.still + info.step : 0;
}

// Whether the view shows another step of a lesson, another figure or another tab than a frame ago.
// An edit may remove a figure's title and undo bring it back: that is still the same picture.
bool Application::viewBegins(const Scene& scene) {
  ScrolledOver now{shownPicture(scene), scene.title};
  if (now.title.empty())
    now.title = scrolledOver_.title;
  const ScrolledOver last = std::exchange(scrolledOver_, now);
  const bool step = bench_.lesson && std::exchange(bench_.lesson->begins, false);
  return step || last.picture != now.picture || last.title != now.title;
}

// In a smaller area the view scrolls.
float Application::leastHeight(ViewContext context) const {
  const auto view = static_cast<std::size_t>(context.scene.view);
  const float listed = listedHeight(context.ui, context.scene, context.area);
  if (bench_.lesson) // what a step is about is in sight without scrolling, if with less beside it
    return listed;
  context.area.x1 -= ImGui::GetStyle().ScrollbarSize; // which stands beside the scrolling content
  return std::max(listed, views_[view]->leastHeight(context));
}

// The part of `area` in which notes may lie over the view.
Rect Application::drawView(const FrameInfo& info, const PanelContext& c, const Rect& area,
                           const std::optional<RoomElsewhere>& imageRoom) {
  const bool presented = bench_.present.has_value();
  const auto view = static_cast<std::size_t>(c.scene.view);
  if (const std::size_t before = std::exchange(drawnView_, view); before != view)
    if (!views_[before]->leave())
      views_[before] = windowViews()[before].pane(shaderFolder_);
  ViewContext context{.scene = c.scene,
                      .results = c.results,
                      .rasters = bench_.rasters,
                      .ui = c.ui,
                      .area = area,
                      .actions = c.actions,
                      .hover = bench_.hover,
                      .step = info.step,
                      .playing = bench_.playing,
                      .blocked = isOpen(bench_.overlay),
                      .presented = presented,
                      .titled = presented && !speakingStep(bench_),
                      .inLesson = speakingStep(bench_) != nullptr,
                      .imageRoom = imageRoom,
                      .draw = bench_.memory.draw};
  // With --watch the next frame reads what changes in this one.
  const auto changed = reloadsItself_ ? std::vector<std::string>() : bench_.watch.changed();
  const auto note = presented ? std::nullopt : fileNote(c, changed);
  const float wide = area.x1 - area.x0 - ImGui::GetStyle().ScrollbarSize; // it may get one
  const float foot = note ? heightOf(c.ui, *note, wide) : 0;
  context.area.y1 -= foot;
  const float least = presented ? 0 : leastHeight(context);
  const bool scrolls = area.y1 - foot - area.y0 < least;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (viewBegins(c.scene))
    scrollNextToTop();
  const Region region(c.ui, "View", area, c.ui.colors().view,
                      scrolls ? ImGuiWindowFlags_AlwaysVerticalScrollbar
                              : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse,
                      !presented);
  ImGui::PopStyleVar();
  if (scrolls)
    context.area = scrolled(area, least);
  const Rect whole = context.area;
  if (const auto tools = windowView(c.scene.view).tools; tools && !presented)
    context.area.y0 = tools(c, whole);
  views_[view]->follow(fade_.motion());
  views_[view]->draw(context);
  fade_.draw(area, info, views_[view]->moves());
  if (const auto room = views_[view]->roomForOffers())
    drawSuitedOffers(c, *room, presented);
  if (scrolls)
    endAt(whole.y1 + foot);
  auto stopped = c.results.stopped;
  if (!stopped)
    stopped = bench_.rasters.stoppedImages();
  const Rect seen{area.x0, area.y0, whole.x1, area.y1};
  if (stopped)
    return drawStopped(c, seen, *stopped);
  return note ? drawFileNote(c, seen, *note) : area;
}

// With --watch they are read again automatically.
void Application::followFiles() {
  bench_.watch.watch(filesOf(bench_.document.scene()));
  if (reloadsItself_ && !bench_.watch.changed().empty())
    reloadFiles(bench_);
  if (std::exchange(followedReloads_, bench_.reloads) != bench_.reloads)
    thumbnails_.clear();
}

// A play advances every frame, or one step after some time; it ends when what played is no longer
// on the screen.
void Application::playOn(const FrameInfo& info) {
  const Scene& scene = bench_.document.scene();
  const ViewPlay& play = windowView(scene.view).play;
  const ShownPicture shown = shownPicture(scene);
  if (std::exchange(playedPicture_, shown) != shown || !play.possible || !play.possible(scene))
    bench_.playing = false;
  if (!bench_.playing) {
    sinceStep_.reset(); // the first step comes at once
    return;
  }
  if (sinceStep_ && (*sinceStep_ += info.step) < play.pause(scene))
    return;
  if (play.step(bench_, info.step))
    sinceStep_ = 0;
}

bool Application::busy() const {
  return !pool_.active().empty() || bench_.tasks.pending() || bench_.engine.pending() ||
         bench_.rasters.pending() || thumbnails_.pending() || figureThumbnails_.pending();
}

void Application::saveState() {
  stopPresenting(bench_); // only the window's state is kept
  writer_.write(bench_.document.scene(), bench_.ui);
  writer_.wait();
}

// A crash costs at most two seconds of work.
void Application::remember(const FrameInfo& info) {
  if (!writer_.writes() || bench_.present || info.seconds < nextSave_)
    return;
  if (rememberedScene_ == bench_.document.scene() && rememberedHabits_ == bench_.ui)
    return;
  nextSave_ = info.seconds + kSecondsBetweenSaves;
  rememberedScene_ = bench_.document.scene();
  rememberedHabits_ = bench_.ui;
  writer_.write(rememberedScene_, rememberedHabits_);
}

} // namespace attention::gui
