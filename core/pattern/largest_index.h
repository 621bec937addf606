// The largest of a row of scores, by vector code chosen at run time: on it buckets and clusters are
// decided. Ties go to the smaller index, so that the result is the same whatever the vectors.
#pragma once

#include "core/support/integers.h"

#include <span>

namespace attention {

// The index of the largest score; ties to the smaller index.
Index largestIndex(std::span<const double> scores);

struct LargestSigned {
  Index index = 0;   // in [y ; −y]
  double margin = 0; // by how much it is larger than the second
};

// Of the numbers y and, behind them, −y: what a hash by signed directions chooses (S6.1).
LargestSigned largestSigned(std::span<const double> y);

} // namespace attention
