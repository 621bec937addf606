// What actions work on: the document, the window's habits, what is open on top, and the wishes that
// only the host can fulfil. Panels and views read it through const contexts; actions and finished
// tasks change it between frames.
#pragma once

#include "app/gui/actions/action_table.h"
#include "app/gui/files/file_watch.h"
#include "app/gui/frame/notices.h"
#include "app/gui/frame/open_view.h"
#include "app/gui/jobs/tasks.h"
#include "app/gui/lessons/lesson.h"
#include "app/gui/overlays/overlay_state.h"
#include "app/gui/panels/panel.h"
#include "app/gui/present/presentation.h"
#include "app/gui/results/raster_slots.h"
#include "app/gui/results/result_engine.h"
#include "app/gui/state/document.h"
#include "app/gui/state/ui_state.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

namespace attention::gui {

// What the frame function asks of its host after the frame.
struct HostWishes {
  bool quit = false;
  std::optional<std::string> clipboard;
};

struct Workbench {
  Workbench(JobPool& jobs, Scene scene, UiState habits);

  JobPool& pool;
  Document document;
  UiState ui;
  ResultEngine engine;
  RasterSlots rasters;
  Tasks tasks;
  FileWatch watch; // of the files that the Scene names
  int reloads = 0; // how often they have been read again
  // Stamps of files that scenes were opened from or saved to: a different stamp means that somebody
  // else wrote the file.
  std::map<std::filesystem::path, FileStamp> sceneStamps;
  ActionTable actions;
  Notices notices;
  Overlay overlay;
  PanelMemory memory;
  std::vector<ShownFigure> figures;
  std::vector<Lesson> lessons;
  std::optional<OpenLesson> lesson;
  std::optional<Presentation> present; // while the window presents
  Hover hover;
  bool playing = false; // layers are lit one by one, tokens sorted, or projections drawn again
  HostWishes wishes;
  std::optional<HeldLength> held; // while a view shows few tokens
  // Exports and copies that wait for the mask of the present Scene: never of the last good one.
  std::vector<std::function<void(Workbench&)>> waiting;
  bool fullScreen = false; // where the window does not present
  bool narrow = false;     // the inspector has no room of its own
  bool slim = false;       // nor has the sidebar: one of them at a time is shown
  // Unfolded nevertheless, where they have no room.
  bool inspectorNarrow = false;
  enum class Side { None, Sidebar, Inspector };
  Side slimSide = Side::None;
};

// Inputs that were read before the Scene names them.
void takeRead(Workbench& bench, const ReadInput& read);

// Whether the inspector is on the screen.
inline bool inspectorShown(const Workbench& bench) {
  if (bench.slim)
    return bench.slimSide == Workbench::Side::Inspector;
  return bench.narrow ? bench.inspectorNarrow : bench.ui.inspector;
}
// Whether the sidebar is.
inline bool sidebarShown(const Workbench& bench) {
  return bench.slim ? bench.slimSide == Workbench::Side::Sidebar : bench.ui.sidebar;
}
void showInspector(Workbench& bench, bool shown);
void showSidebar(Workbench& bench, bool shown);

// The gesture of a play: the whole play is one undo step.
inline constexpr const char* kPlayed = "play";

// Pins the next query (the one before where negative).
void stepPinnedQuery(Workbench& bench, int by);

// Reads the files of the Scene again; everything that is chosen stays.
void reloadFiles(Workbench& bench);

// Applies what was emitted while drawing.
void apply(Workbench& bench, const std::vector<Action>& actions);

} // namespace attention::gui
