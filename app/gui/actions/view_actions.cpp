#include "app/gui/frame/open_view.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/interface/window_view.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr float kScaleStep = 1.1F;

// The window's theme; in a presentation, the one chosen for presentations.
void setScale(Workbench& bench, float scale) {
  if (bench.present)
    bench.present->zoom = std::clamp(scale, 0.7F, 1.4F);
  else
    bench.ui.scale = std::clamp(scale, 0.5F, 4.0F);
}
float scaleOf(const Workbench& bench) {
  return bench.present ? bench.present->zoom : bench.ui.scale;
}

// A presentation has a theme of its own.
ThemeKind& themeOf(Workbench& bench) {
  return bench.present ? bench.ui.presentTheme : bench.ui.theme;
}
bool isLight(const Workbench& bench) {
  return (bench.present ? bench.ui.presentTheme : bench.ui.theme) == ThemeKind::Light;
}

Chord functionKey(int number) {
  return {static_cast<Key>(static_cast<int>(Key::F1) + number - 1)};
}

void chooseTab(Workbench& bench, SidebarTab tab) {
  bench.ui.tab = tab;
  showSidebar(bench, true);
}

void foldBoth(Workbench& bench) {
  const bool open = !(sidebarShown(bench) || inspectorShown(bench));
  showInspector(bench, open && !bench.narrow);
  showSidebar(bench, open);
}

// Computes again what was stopped or could not be read.
void retry(Workbench& bench) {
  bench.engine.retry();
  bench.rasters.retry();
}

void stopJobs(Workbench& bench) {
  for (const auto& job : bench.pool.active())
    job->stop();
}

void openView(Workbench& bench, View view) {
  bench.playing = false;
  const Index tokens = bench.engine.results().lengths.keys;
  bench.document.apply({"view", [&](Scene& s) { openIn(s, view, tokens, bench.held); }});
}

const WindowView& shownView(const Workbench& bench) {
  return windowView(bench.document.scene().view);
}

// The views by their numbers.
void addViews(ActionTable& table) {
  for (const WindowView& entry : windowViews())
    table.add({entry.action,
               "View",
               entry.label,
               entry.tooltip,
               {{entry.key}},
               [view = entry.view](Workbench& b) { openView(b, view); },
               {},
               shows(entry.view)});
}

// Where nothing is presented, it begins with the speaker's view.
void toggleSpeaker(Workbench& bench) {
  const bool shown = bench.present && bench.present->speaker;
  startPresenting(bench);
  bench.present->speaker = !shown;
}

void addZoomActions(ActionTable& table) {
  table.add({"view.fit",
             "View",
             "Fit",
             "Show the whole mask",
             {{static_cast<Key>('F')}},
             [](Workbench& b) { b.document.setCamera(shownView(b).fitted(b.engine.results())); },
             [](const Workbench& b) { return shownView(b).fitted != nullptr; },
             {},
             true});
  table.add({"view.larger",
             "View",
             "Larger type",
             "Everything larger",
             {{Key::Equal, true}, {Key::Equal, true, true}, {Key::KeypadAdd, true}},
             [](Workbench& b) { setScale(b, scaleOf(b) * kScaleStep); }});
  table.add({"view.smaller",
             "View",
             "Smaller type",
             "Everything smaller",
             {{Key::Minus, true}, {Key::KeypadSubtract, true}},
             [](Workbench& b) { setScale(b, scaleOf(b) / kScaleStep); }});
  table.add({"view.normal",
             "View",
             "Normal type",
             "Type at its usual size",
             {{Key::Digit0, true}},
             [](Workbench& b) { setScale(b, 1); }});
  table.add({"view.fullScreen",
             "View",
             "Full screen",
             "Full screen, and back",
             {functionKey(11)},
             [](Workbench& b) {
               bool& full = b.present ? b.present->fullScreen : b.fullScreen;
               full = !full;
             }});
  table.add(
      {"view.present",
       "View",
       "Present",
       "Full screen in large type, for a lecture. It has its own theme, light at first, which "
       "suits projectors. → and ← step, . blackens the screen, S is a "
       "spotlight, Esc goes back",
       {functionKey(5)},
       startPresenting});
  table.add({"view.speaker",
             "View",
             "Speaker view",
             "A second window while presenting: the notes, the next step, the time",
             {{functionKey(5).key, false, true}},
             toggleSpeaker,
             {},
             [](const Workbench& b) { return b.present && b.present->speaker; }});
}

void addJobActions(ActionTable& table) {
  table.add({"view.retry",
             "View",
             "Run again",
             "Compute again what was stopped",
             {{static_cast<Key>('R'), true}},
             retry});
  table.add({"jobs.stop",
             "View",
             "Stop computing",
             "Stop what is running; the last good picture stays",
             {{Key::Escape}},
             stopJobs});
}

// What is read in the inspector is often longer than a small window.
void addReading(ActionTable& table) {
  const auto turn = [](float pages) {
    return [pages](Workbench& b) { b.memory.pagesDown += pages; };
  };
  const auto seen = [](const Workbench& b) { return inspectorShown(b); };
  table.add({"view.inspectorDown",
             "View",
             "Inspector: next page",
             "Scroll the inspector down",
             {{Key::PageDown}},
             turn(1),
             seen});
  table.add({"view.inspectorUp",
             "View",
             "Inspector: previous page",
             "Scroll the inspector up",
             {{Key::PageUp}},
             turn(-1),
             seen});
}

} // namespace

void addViewActions(ActionTable& table) {
  addViews(table);
  table.add({"view.gallery",
             "View",
             "All patterns…",
             "Every pattern with a live picture",
             {{static_cast<Key>('G')}},
             [](Workbench& b) { b.overlay = GalleryState{}; }});
  table.add({"view.patterns",
             "View",
             "Patterns",
             "The sidebar's patterns",
             {},
             [](Workbench& b) { chooseTab(b, SidebarTab::Patterns); },
             {},
             [](const Workbench& b) { return b.ui.tab == SidebarTab::Patterns; }});
  table.add({"view.figures",
             "View",
             "Figures",
             "The sidebar's published figures",
             {},
             [](Workbench& b) { chooseTab(b, SidebarTab::Figures); },
             {},
             [](const Workbench& b) { return b.ui.tab == SidebarTab::Figures; }});
  table.add({"view.sidebars",
             "View",
             "Fold both sidebars",
             "Fold or unfold both sidebars",
             {{Key::Backslash}},
             foldBoth,
             {},
             [](const Workbench& b) { return !sidebarShown(b) && !inspectorShown(b); },
             true});
  table.add({"view.sidebar",
             "View",
             "Sidebar",
             "Fold or unfold the left sidebar",
             {{Key::LeftBracket}},
             [](Workbench& b) { showSidebar(b, !sidebarShown(b)); },
             {},
             [](const Workbench& b) { return sidebarShown(b); }});
  table.add({"view.inspector",
             "View",
             "Inspector",
             "Fold or unfold the inspector",
             {{Key::RightBracket}},
             [](Workbench& b) { showInspector(b, !inspectorShown(b)); },
             {},
             [](const Workbench& b) { return inspectorShown(b); }});
  addReading(table);
  table.add({"view.motion",
             "View",
             "Motion",
             "Whether one picture turns into the next; what is dragged is followed at once",
             {},
             [](Workbench& b) { b.ui.motion = !b.ui.motion; },
             {},
             [](const Workbench& b) { return b.ui.motion; }});
  table.add({"view.theme",
             "View",
             "Light or dark theme",
             "Switch between the light theme, for projectors and print, and the dark one",
             {{static_cast<Key>('L'), true}},
             [](Workbench& b) { themeOf(b) = isLight(b) ? ThemeKind::Dark : ThemeKind::Light; }});
  for (const WindowView& view : windowViews())
    if (view.addActions)
      table.addOf(view.view, view.addActions);
  addJobActions(table);
  addZoomActions(table);
}

} // namespace attention::gui
