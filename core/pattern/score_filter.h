// Numbers above a bound, by vector code chosen at run time: the building block for choosing the
// largest of many scores (largest_scores.h).
#pragma once

#include "core/support/integers.h"

#include <span>

namespace attention {

// How many are above `bound`. NaN is not.
Index countAbove(std::span<const double> scores, double bound);

// The smallest and the largest, ignoring NaN; ∞ and −∞ where there is none.
struct ScoreSpread {
  double least = 0;
  double most = 0;
};
ScoreSpread spreadOf(std::span<const double> scores);

// Spare room that filters need after what they write.
constexpr Index kFilterSpare = 16;

// Writes the scores above `bound` and `first` + their places to the front of kept and indices, in
// order; returns how many. Both need room for all scores plus kFilterSpare.
Index copyAbove(std::span<const double> scores, double bound, Index first, double* kept,
                Index* indices);

// Keeps, of `count` scores and their indices, those above `bound`, in order; returns how many.
Index keepAbove(double* scores, Index* indices, Index count, double bound);

} // namespace attention
