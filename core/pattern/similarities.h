// Scores of rows against many others, on which data-dependent patterns decide (S5, S6): dot
// products or squared distances in double. Every score is summed in the order of the columns,
// wherever the other row stands, so that equal rows give equal bits; products are rounded before
// they are added, as in plain scalar code, so that ties stay ties.
#pragma once

#include "core/support/matrix.h"

#include <span>

namespace attention {

enum class SimilarityScore {
  Dot,                  // x·y
  MinusSquaredDistance, // −|x − y|²
};

class Similarities {
public:
  // Scores against the rows of `of`: n × d, copied.
  Similarities(SimilarityScore score, const Matrix<double>& of);

  Index size() const { return size_; } // n

  // scores(r, j) of row r of `x` (m × d) with row first + j, for as many as `scores` has columns:
  // m × up to n − first. O(m d) each.
  void compute(MatrixView<const double> x, Index first, MatrixView<double> scores) const;
  // Scores of one row with all.
  void compute(std::span<const double> x, std::span<double> scores) const;

private:
  SimilarityScore score_;
  Index size_ = 0;
  Matrix<double> columns_; // d × n
};

// `of` with every row scaled to unit length; a zero row stays zero.
Matrix<double> unitRows(const Matrix<double>& of);

} // namespace attention
