// A view in the window as one unit: its tab, what it computes and draws, the panels beside it, what
// keys and plays do in it, and what is said about it elsewhere. Each is defined in the view's own
// file (views/NAME/NAME_window.cpp), so nothing else has to ask which view it is.
#pragma once

#include "app/gui/platform/key.h"
#include "core/scene/scene.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention {
struct SceneFigureOptions;
}

namespace attention::gui {

class ActionTable;
class ViewPane;
class ViewStages;
struct CommandScene;
struct PanelContext;
struct Rect;
struct Results;
struct Workbench;

// What moves by itself while the window plays.
struct ViewPlay {
  bool (*possible)(const Scene& scene) = nullptr; // null: nothing does
  float (*pause)(const Scene& scene) = nullptr;   // seconds between two steps; 0: every frame
  // `seconds` since the last frame. Returns false where it has to wait for the next frame.
  bool (*step)(Workbench& bench, float seconds) = nullptr;
};

// Functions that are null say nothing.
struct WindowView {
  View view;
  const char* label;   // of the tab
  const char* action;  // its id
  const char* tooltip; // of the tab and the action
  Key key;
  // Points at scale 1 at which its pictures are still readable; in less the view scrolls. A narrow
  // view stacks what a wide one shows side by side.
  float leastHeight;
  float leastHeightNarrow;
  // Of a view of several kinds of pictures: of that which the Scene shows. Null: as above.
  float (*leastHeightOf)(const Scene& scene, bool narrow) = nullptr;
  // The camera of the whole picture, which Fit gives back; none is the camera that the view begins
  // with. Null: the view does not zoom.
  std::optional<Camera> (*fitted)(const Results& results) = nullptr;

  std::unique_ptr<ViewStages> (*stages)(Results& results);
  std::unique_ptr<ViewPane> (*pane)(const std::filesystem::path& shaders);
  // What one works with, over the picture while nobody presents. Returns where the room below
  // begins.
  float (*tools)(const PanelContext& context, const Rect& area) = nullptr;
  void (*options)(const PanelContext& context);     // in the sidebar
  void (*facts)(const PanelContext& context);       // in the inspector
  const char* whichOfSeveral = "of the first mask"; // what the facts belong to, of several
  bool namesPatterns = false; // and by their patterns where they have no titles

  std::string (*sizes)(const PanelContext& context);             // in the bar at the bottom
  std::string (*numbers)(const PanelContext& context) = nullptr; // of its own, in a presentation
  std::string (*source)(const Scene& scene) = nullptr;           // else that of the pattern
  // What to see in the picture, for a presentation that has room beside it.
  std::vector<std::string> (*reading)(const PanelContext& context) = nullptr;
  const char* withoutInput = "only the mask, without attention";
  std::string (*command)(const CommandScene& shown); // that gives its numbers

  void (*prepareToOpen)(Scene& scene) = nullptr; // changes what would show nothing
  Index tokensAtFirst = 0; // that it begins with where no length is chosen; 0: all of the input's
  // Hands over what is computed already for a figure of the same Scene and input.
  void (*handOver)(const Results& results, SceneFigureOptions& options) = nullptr;
  Scene (*sceneToExport)(const Workbench& bench) = nullptr; // instead of the document's
  ViewPlay play = {};
  bool (*hasSteps)(const Scene& scene) = nullptr;   // of its own, before figures of a paper
  void (*step)(Workbench& bench, int by) = nullptr; // what arrows do in a presentation
  // What they do before that, and before a lesson goes on; false where there is nothing left of it.
  bool (*stepInside)(Workbench& bench, int by) = nullptr;
  // What → would show of that; nothing at its end.
  std::optional<Scene> (*sceneAhead)(const Workbench& bench) = nullptr;
  void (*addActions)(ActionTable& table) = nullptr; // keys of its own
  // What it makes of a file that is opened while it is shown; empty: what the window makes of it.
  std::function<void(Scene&)> (*opened)(const std::filesystem::path& file) = nullptr;
};

// For a view that begins with everything in sight.
inline std::optional<Camera> noCamera(const Results&) {
  return std::nullopt;
}

// In the order of View, of tabs and of keys.
std::span<const WindowView> windowViews();
const WindowView& windowView(View view);

} // namespace attention::gui
