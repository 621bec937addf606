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

struct ReachKey {
  ReachQuestion question;
  // Where a pattern depends on the data: the input and the model head; else none.
  std::shared_ptr<const Input> input = {};
  Index batch = 0;
  Index head = 0;
  bool operator==(const ReachKey&) const = default;
};

struct ReachTokenKey {
  std::shared_ptr<const ReachLayers> layers;
  Pins pins;
  std::optional<Index> shown;
  std::vector<std::string> labels; // labels of the tokens, where a graph has room for them
  bool operator==(const ReachTokenKey&) const = default;
};

struct ReachModelsKey {
  ReachSpec spec; // its models, and the layers that they are compared with
  Index n = 1;
  bool operator==(const ReachModelsKey&) const = default;
};

struct ReachHopsKey {
  std::shared_ptr<const ReachLayers> layers; // with hops
  attention::Rect cells;                     // that the camera shows
  bool operator==(const ReachHopsKey&) const = default;
};

} // namespace attention::gui
