// Scores of rows against many others, on which data-dependent patterns decide (S5, S6): dot
// products or squared distances in double. Every score is summed in the order of the columns
// wherever the other row stands, so that equal rows give equal bits and ties are ties.
#pragma once

#include "core/support/matrix.h"

#include <span>

namespace attention {

enum class Score {
  Dot,                  // x·y
  MinusSquaredDistance, // −|x − y|²
};

class Similarities {
public:
  // Of the rows of `of`: n × d, copied.
  Similarities(Score score, const Matrix<double>& of);

  Index size() const { return size_; } // n

  // scores(r, j) of row r of `x` (m × d) with row j: m × n. O(m n d).
  void compute(MatrixView<const double> x, MatrixView<double> scores) const;
  void compute(std::span<const double> x, std::span<double> scores) const;

private:
  void computeBlock(const double* x, Index first, double* scores) const;

  Score score_;
  Index size_ = 0;
  Matrix<double> columns_; // d × n, n filled up with zeros
};

// The index of the largest score; ties to the smaller index.
Index largestIndex(std::span<const double> scores);

// `of` with every row scaled to unit length; a zero row stays zero.
Matrix<double> unitRows(const Matrix<double>& of);

} // namespace attention
