// A view: the middle of the window. It reads a ViewContext and emits actions; it computes nothing,
// starts nothing and opens nothing. OpenGL resources are its own (the context is current in draw).
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/draw_tool.h"
#include "app/gui/interface/rasters.h"
#include "app/gui/interface/results.h"
#include "app/gui/widgets/ui.h"

#include <optional>

namespace attention::gui {

// A part of another region that also belongs to the view.
struct RoomElsewhere {
  const char* region = "";
  Rect area;
};

struct ViewContext {
  const Scene& scene;
  const Results& results;
  Rasters& rasters;
  const Ui& ui;
  Rect area; // points of the window; the ImGui cursor stands at its top left
  ActionSink& actions;
  Hover hover;            // as the last Hover action said
  float step = 0;         // seconds since the last frame
  bool playing = false;   // the view moves by itself
  bool blocked = false;   // an overlay covers the view, which then takes no pointer and no keys
  bool presented = false; // for an audience: without key hints and without controls
  bool titled = false;    // its title stands above it already
  bool inLesson = false;  // a lesson, which counts its own steps, speaks about it
  std::optional<RoomElsewhere> imageRoom = {}; // for the image of a presented mask
  DrawTool draw = {};                          // with which the Mask view draws by hand
};

// How far what was shown before has turned into what is shown now.
struct ViewMotion {
  int change = 0;  // a new number for every change
  float share = 1; // from 0, what was shown before, to 1, where nothing moves
};

class ViewPane {
public:
  virtual ~ViewPane() = default;
  // Draws inside a child window of its area. F (fit) and the other shortcuts of the action table
  // belong to the application; arrows and the like belong to the canvas that has the focus.
  virtual void draw(const ViewContext& context) = 0;
  // A view whose cells can be followed from one picture to the next shows that itself; over all
  // others the last picture fades. `follow` comes before every draw; `moves` says whether the last
  // draw showed the motion.
  virtual void follow(const ViewMotion&) {}
  virtual bool moves() const { return false; }
  // Another view is drawn from now on. Returns true if the pane has released what it drew and is to
  // be kept, since it holds what takes long to make; otherwise a new pane replaces it.
  virtual bool leave() { return false; }
  // The height in points at which what is shown is still readable in an area as wide as the
  // context's; below it, or below what WindowView says, the view scrolls.
  virtual float leastHeight(const ViewContext&) const { return 0; }
  // The room that the last draw left for patterns that the view can picture, where it cannot
  // picture the Scene's own.
  virtual std::optional<Rect> roomForOffers() const { return std::nullopt; }
};

} // namespace attention::gui
