// Pairs that are lost again: without the residual path a layer hands on only what it reads, and
// what fewer layers reach need not be reached by all of them (S10: fixed attention).
#pragma once

#include "core/analysis/reach/reach.h"

#include <optional>

namespace attention {

struct LostPairs {
  BitMatrix pairs; // [i][j]: for some t < layers in R_t, and not in R_layers
  Index count = 0;
};

// `reach`: R_layers. Nothing where no pair is lost, as always with the residual path. O(n²).
std::optional<LostPairs> lostPairs(const HopMatrix& hops, const BitMatrix& reach, Index layers,
                                   const Run& run = {});

} // namespace attention
