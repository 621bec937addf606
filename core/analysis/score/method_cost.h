// What S14 says of the cost of each mechanism on the score board, of one head.
#pragma once

#include "core/analysis/score/score_board.h"

namespace attention {

struct MethodCost {
  double flops = 0;
  double bytes = 0;
};

struct HeadShape {
  Index n = 1;
  Index d = 1;
  Index dv = 1;
  Index itemSize = 4; // bytes of a number
};

// Softmax attention over `pairs` pairs; lsh as S14 has it, whole chunks, the hash and the sort.
MethodCost costOf(const Pattern& pattern, Index pairs, const HeadShape& shape);
MethodCost costOf(const FeatureMethod& method, const HeadShape& shape);
MethodCost costOf(const LinformerMethod& method, const HeadShape& shape);

} // namespace attention
