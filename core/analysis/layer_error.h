// How the error of random features grows over a stack of attention layers (after the appendix of
// Choromanski et al. 2021): one stack with exact softmax attention and one with its estimate, with
// the same weights and, in all layers, the same projections. From X_0, n × d with rows N(0, I)
// scaled to a root mean square of 1, each layer makes
//
//   Q = sigma X W_q,  K = sigma X W_k,  V = X W_v,  X ← rows of X + attention(Q, K, V),
//
// scaled to a root mean square of 1 again; entries of W_q, W_k and W_v (d × d) are N(0, 1/d) and
// each layer has its own. The error of a layer is |X̂ − X|_F / |X|_F after it. This models a
// transformer without feed-forward layers; sigma means the same as for single layers. Repeat r
// draws number x of X_0 as normal number x, and of W_q, W_k or W_v (w = 0, 1, 2) of layer l = 0 …
// as number 2^48 + (3 l + w) d² + x, from purpose 1, sub 2^29 + r.
#pragma once

#include "core/analysis/kernel_error.h"

#include <vector>

namespace attention {

struct LayerErrorOptions {
  std::vector<Estimator> curves = defaultCurves();
  Index projections = 64; // v
  Index layers = 6;
  Index n = 128;
  Index d = 16;
  double sigma = 0.5;
  Index repeats = 15;      // each draws X_0, the weights and the projections again
  std::uint64_t seed = 0;  // of X_0 and the weights
  std::uint64_t drawn = 0; // repeat r draws its projections with drawn + 1000 + r
  bool causal = false;
  Stabilize stabilize = Stabilize::Off;
  double eps = 0;
  int threads = 0;
};

struct LayerErrorRow {
  Estimator curve;
  Index layer = 1;
  std::vector<double> errors; // one per repeat; +∞ where the estimate is not finite
  Spread error;
  // Rows of all repeats whose normaliser in this layer is 0 (attention then gives 0), negative or
  // not finite; and all rows of a repeat after its first layer that is not finite.
  Index flaggedRows = 0;
};

// Curve by curve, with layers ascending. E_NONFINITE (sigma, eps); E_RANGE, also where it would
// take longer or hold more than a sweep of kernel errors may; Stopped. The same bits at any number
// of threads. O(repeats · layers · n d (n + curves · (m + d))) time, O(curves · (n + m) d + d²)
// memory per thread.
std::vector<LayerErrorRow> layerErrors(const LayerErrorOptions& options, const Run& run = {});

} // namespace attention
