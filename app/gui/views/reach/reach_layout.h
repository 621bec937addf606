// Where the parts of the Reach view lie.
#pragma once

#include "app/gui/interface/view.h"
#include "core/plot/figure.h"

#include <string>

namespace attention::gui {

struct ReachAreas {
  Rect title;
  Rect graph; // empty if there is none
  Rect controls;
  Rect growth; // this and the next have a line of text above them, which is not part of them
  Rect cache;  // of models, with such a line too; empty if there is none
  Rect hops;   // with the legend to its right; empty if there is no matrix
  float hintTop = 0;
};

// Points for the line above growth and hops, and for the legend to the right of the matrix, at
// scale 1.
constexpr float kReachCaption = 26;
constexpr float kHopLegend = 56;

// The height in points at which the rows of a layer graph, with its axis, can still be told apart.
float leastGraph(const ViewContext& context, const Plot& graph);

// `graph`: the least height of the layer graph, above or beside the others, where it is drawn; else
// 0. With more tokens than the matrix of hops allows, the growth gets its room.
ReachAreas reachAreas(const ViewContext& context, const std::string& title, float graph);

// Gives a half of the growth's room to the curves of the models' caches.
void makeRoomForCache(const Ui& ui, ReachAreas& areas);

// The height in points at which the graph and what is beside or below it fit, in the context's
// width.
float leastReach(const ViewContext& context, const std::string& title, float graph);

} // namespace attention::gui
