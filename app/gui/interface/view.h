// A view: the middle of the window. It reads a ViewContext and emits actions; it computes nothing,
// starts nothing and opens nothing. OpenGL resources are its own (the context is current in draw).
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/interface/rasters.h"
#include "app/gui/interface/results.h"
#include "app/gui/widgets/ui.h"

#include <optional>

namespace attention::gui {

// A part of another region that is the view's too.
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
  bool blocked = false;   // an overlay lies over the view: it takes no pointer and no keys
  bool presented = false; // to an audience: without hints at keys and without controls
  bool titled = false;    // its title stands above it already
  std::optional<RoomElsewhere> imageRoom = {}; // for the image of a presented mask
};

class ViewPane {
public:
  virtual ~ViewPane() = default;
  // Inside a child window of its area. F (fit) and the other shortcuts of the action table are the
  // application's; arrows and the like belong to the canvas that has the focus.
  virtual void draw(const ViewContext& context) = 0;
  // Another view is drawn from now on: lets go of the results that this one has drawn.
  virtual void leave() {}
  // Points in which what is shown now is still read in an area as wide as the context's: in less
  // the view scrolls, as in less than WindowView says.
  virtual float leastHeight(const ViewContext&) const { return 0; }
  // What the last draw left for patterns that the view can picture, where it cannot the Scene's.
  virtual std::optional<Rect> roomForOffers() const { return std::nullopt; }
};

} // namespace attention::gui
