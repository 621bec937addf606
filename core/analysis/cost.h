// The cost model (S14): floating point operations and numbers held; a model of the arithmetic, not
// of a machine. A multiplication and an addition count 2, exp, max and division 1. Numbers are
// exact integers while below 2^53 and rounded once above.
#pragma once

#include "core/support/integers.h"

namespace attention {

// Softmax attention over `pairs` attended pairs: 2Pd + 5P + 2Pd_v + n d_v.
struct SparseCost {
  double flops = 0;
  double matmulFlops = 0;
  double scoreElements = 0; // if the scores are stored
  double ioElements = 0;    // Q, K, V, O
};
// `n` rows of output; Q, K, V and O have n rows.
SparseCost sparseCost(Index n, Index d, Index dv, Index pairs);

// Bytes of Q, K, V, O and of the scores, if they are stored, at `itemSize` bytes per number.
double sparseBytes(const SparseCost& cost, Index itemSize);

// `projections` v, `features` m = v or 2v.
struct RandomFeatureCost {
  double flops = 0;
  double matmulFlops = 0;
  double stateElements = 0;
  double featureElements = 0;
  double projectionElements = 0;
  double ioElements = 0;
};
RandomFeatureCost randomFeatureCost(Index n, Index d, Index dv, Index projections, Index features);

// Keys and values projected to k rows.
struct LinformerCost {
  double flops = 0;
  double matmulFlops = 0;
  double scoreElements = 0;
  double parameterElements = 0;
};
LinformerCost linformerCost(Index n, Index d, Index dv, Index k);

struct LshShape {
  Index rounds = 1;
  Index rotationColumns = 1;
  Index chunk = 1;
  Index before = 1; // chunks seen before and after one's own
  Index after = 0;
};
struct LshCost {
  SparseCost sparse; // of rounds · n · chunk · (1 + before + after) pairs
  double hashFlops = 0;
  double sortComparisons = 0;
};
LshCost lshCost(Index n, Index d, Index dv, const LshShape& shape);

} // namespace attention
