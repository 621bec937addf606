// What the Reach view's pictures are made from.
#pragma once

#include "app/gui/interface/latest.h"
#include "core/views/reach/scene_models.h"
#include "core/views/reach/scene_reach.h"

namespace attention::gui {

// The Reach view's layers, with their drawing.
struct ReachLayers {
  ReachAnswer answer;
  Plot growth;
  std::string growthTitle;
  std::vector<std::string> reading; // what to see, in sentences
};

// The chosen token among the layers.
struct ReachToken {
  ReachOfToken facts;
  LayerGraph graph;
  std::optional<Index> shown; // layers that the graph follows, if not all
  std::optional<Plot> growth; // with a line at them
};

// Only while the Reach view is shown.
struct ReachResults {
  Latest<ReachLayers> layers;
  Latest<ReachToken> token;
  Latest<Plot> hops;           // the cells that the camera shows; empty if n > kMostHopTokens
  Latest<ModelsAnswer> models; // empty if the Scene names none
};

} // namespace attention::gui
