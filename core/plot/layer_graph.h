// Layers of attention as a graph: a row of tokens per layer, the input lowest, with an edge from
// each query down to every key that it attends to (van den Oord et al. 2016, figures 2 and 3; Jiang
// et al. 2023, figure 1).
#pragma once

#include "core/support/integers.h"

#include <vector>

namespace attention {

// From `query` in row `layer` ≥ 1 down to `key` in row layer − 1.
struct LayerEdge {
  Index layer = 1;
  Index query = 0;
  Index key = 0;
  bool residual = false; // the path around attention
  bool lit = false;      // leads to the chosen token
  bool operator==(const LayerEdge&) const = default;
};

struct LayersMark {
  Index tokens = 0;
  Index layers = 0;                   // rows of edges; rows of tokens are one more
  std::vector<LayerEdge> edges;       // those drawn last lie on top
  std::vector<std::vector<bool>> lit; // [layers + 1][tokens]: influences the chosen token
  std::vector<Index> path;            // one token per row, the last one in the input row; or empty
  bool rowNames = true;               // "layer 2" on the left
};

} // namespace attention
