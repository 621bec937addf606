// Weighted reach: attention rollout (Abnar & Zuidema 2020). How much of input j is in output i if
// every layer mixes tokens by its attention weights A_t and a residual path carries the rest:
// Ã_t = normalised rows of (1 − s) A_t + s I, rollout = Ã_T ⋯ Ã_1.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <span>

namespace attention {

// weights[t]: n × n, the mean over the heads of layer t + 1, lowest first, entries ≥ 0;
// `residual` s in [0, 1] (the paper's ½). Rows without weights keep their token. Returns n × n with
// rows that sum to 1 wherever the weights' rows do or s > 0. E_SHAPE, E_RANGE. O(layers · n³).
Matrix<double> attentionRollout(std::span<const Matrix<double>> weights, double residual = 0.5,
                                const Run& run = {});

} // namespace attention
