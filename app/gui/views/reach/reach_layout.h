// Where the parts of the Reach view lie.
#pragma once

#include "app/gui/interface/view.h"
#include "core/plot/figure.h"

#include <string>

namespace attention::gui {

struct ReachAreas {
  Rect title;
  Rect graph; // empty where there is none
  Rect controls;
  Rect growth; // this and the next have a line above them, which is not part of them
  Rect hops;   // with the legend at its right; empty where there is no matrix
  float hintTop = 0;
};

// Points that the line above growth and hops takes, and the legend at the right of the matrix; at
// scale 1.
constexpr float kReachCaption = 26;
constexpr float kHopLegend = 56;

// Points in which the rows of a graph of layers are still told apart, with its axis.
float leastGraph(const ViewContext& context, const Plot& graph);

// `graph`: where the layers are drawn as a graph, above or beside the others, its least height;
// else 0. Of more tokens than the matrix of hops is made for the growth has its room.
ReachAreas reachAreas(const ViewContext& context, const std::string& title, float graph);

// Points in which the graph and what is beside it or below have their room, in the context's width.
float leastReach(const ViewContext& context, const std::string& title, float graph);

} // namespace attention::gui
