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

// Pairs of a query and a key that softmaxes read: those of the mask, or of every branch where
// several softmaxes are added (S22), with its compressed keys.
Index pairsRead(const Prepared& prepared);

// Softmax attention over `pairs` pairs of the pattern (of all its branches, where it has some),
// which `prepared` was made from, and the cost of choosing them; lsh as in S14: whole chunks, the
// hash and the sort.
MethodCost costOf(const Pattern& pattern, const Prepared& prepared, const HeadShape& shape,
                  Index pairs);
// FLOPs of what a pattern of the data computes to choose its keys: those of its KeyChoice (S20.8);
// 2d for every point and centroid, once per step of k-means and once more, for cluster and routing;
// 2d for every score of the last queries for estimated lines; of all operands for a composition; 0
// for the others, and for a drawing on a pattern that chooses.
double choosingFlops(const Pattern& pattern, const Prepared& prepared, const HeadShape& shape);
// Bytes that attention over `pairs` pairs moves.
double bytesOf(const Pattern& pattern, Index pairs, const HeadShape& shape);
MethodCost costOf(const FeatureMethod& method, const HeadShape& shape);
MethodCost costOf(const LinformerMethod& method, const HeadShape& shape);
// As for a pattern of all keys, or of j ≤ i; elu1 and relu, which use the linear order, as for d
// features without projections.
MethodCost costOf(const KernelMethod& method, bool causal, const HeadShape& shape);

} // namespace attention
