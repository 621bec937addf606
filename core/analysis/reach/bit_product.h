// The boolean product of a mask with a matrix: row i of the result is the union of those rows of
// the matrix that the mask's row i names. This is one layer of a receptive field.
#pragma once

#include "core/analysis/reach/bit_matrix.h"

namespace attention {

// The keys of row i of a mask, disjoint and sorted; called from several threads.
using RowSource = std::function<void(Index i, KeyRanges& ranges)>;

// result[i][j] = ∨ over a in mask(i) of below[a][j], and below[i][j] where `identity`. `result` has
// below's size and is overwritten. `lower`: below has no bit above the diagonal, which saves half
// of the work under a causal mask.
//
// Cost per row: O(keys · n / 64), less where the row fills up before its last key; where ranges are
// long enough for their unions to pay off (range_unions.h), O(ranges · n / 64), whatever their
// lengths. The same bits at any number of threads.
struct BitProduct {
  const RowSource& mask;
  const BitMatrix& below;
  bool identity = true;
  bool lower = false;
};
void multiply(const BitProduct& product, BitMatrix& result, int threads, const Run& run);

} // namespace attention
