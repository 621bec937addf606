// The cost of each mechanism on the score board by S14, for one head.
#pragma once

#include "core/analysis/score/score_board.h"

namespace attention {

struct MethodCost {
  double flops = 0;
  double bytes = 0;
  double usefulFlops = 0; // those that the result needs, 2P (d + d_v) for P pairs
};

struct HeadShape {
  Index n = 1;
  Index d = 1;
  Index dv = 1;
  Index itemSize = 4;    // bytes per number
  bool sharedQk = false; // then n points are clustered, else 2n
};

// Softmax attention over `pairs` pairs, and the cost of choosing them; lsh as in S14: whole chunks,
// the hash and the sort.
MethodCost costOf(const Pattern& pattern, Index pairs, const HeadShape& shape);
// FLOPs of the scores from which a pattern of the data chooses its keys, 2d each: of all candidates
// for topk (S14: selection still needs all n² scores), of every point with every centroid, once per
// step of k-means and once more, for cluster and routing; of the last queries for estimated lines;
// of all operands for a composition; 0 for the others.
double choosingFlops(const Pattern& pattern, const HeadShape& shape);
MethodCost costOf(const FeatureMethod& method, const HeadShape& shape);
MethodCost costOf(const LinformerMethod& method, const HeadShape& shape);
// As for a pattern of all keys, or of j ≤ i; elu1 and relu, which use the linear order, as for d
// features without projections.
MethodCost costOf(const KernelMethod& method, bool causal, const HeadShape& shape);

} // namespace attention
