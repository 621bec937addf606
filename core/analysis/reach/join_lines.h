// The inner loop of boolean products: the unions of rows of bits, a cache line of words at a time
// over many rows, so that one line of the matrix below stays in the cache. By vector code chosen at
// run time.
#pragma once

#include "core/analysis/reach/bit_matrix.h"

#include <vector>

namespace attention {

// For every row of a chunk, the rows of which it is the union, and how far its bits can reach.
struct UnionRow {
  std::size_t begin = 0; // in UnionPlan::sources
  std::size_t end = 0;
  Index limit = 0;       // bits from here on are zero
  bool asBefore = false; // equals the row before it
};

struct UnionPlan {
  std::vector<const BitWord*> sources; // rows as long as those of the result
  std::vector<UnionRow> rows;
};

// Computes rows firstRow … of `result` as planned. A line ends with its last source or when it is
// full. O(sources · words of a row).
void joinRows(const UnionPlan& plan, Index firstRow, BitMatrix& result);

} // namespace attention
