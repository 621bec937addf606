// Weighted reach: attention rollout (Abnar & Zuidema 2020). How much of input j is in output i if
// every layer mixes tokens by its attention weights A_t and a residual connection carries the rest:
// Ã_t = normalised rows of (1 − s) A_t + s I, rollout = Ã_T ⋯ Ã_1.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <span>

namespace attention {

// One more layer, for stacks that are built layer by layer: Ã · below, or Ã itself where there is
// nothing below. `weights`: n × n, the mean over the heads of the layer, entries ≥ 0; `residual` s
// in [0, 1] (the paper's ½). Rows without weights keep their own token. E_SHAPE, E_RANGE. O(n³),
// the same bits at any number of threads.
Matrix<double> rolloutThrough(Matrix<double> weights, const Matrix<double>* below,
                              double residual = 0.5, int threads = 0, const Run& run = {});

// All layers, lowest first. Returns n × n; its rows sum to 1 where the weights' rows do or s > 0.
// E_TYPE where there are no layers. O(layers · n³).
Matrix<double> attentionRollout(std::span<const Matrix<double>> weights, double residual = 0.5,
                                int threads = 0, const Run& run = {});

} // namespace attention
