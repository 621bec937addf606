// Means of values near the end of the floats: their sums overflow where the means do not. Then the
// values are halved often enough before they are added, and the means doubled as often, which
// rounds nothing but numbers near the least of the floats.
#pragma once

#include "core/support/matrix.h"

namespace attention {

// Half as large so many times that sums of `count` of them are floats.
class HalvedValues {
public:
  HalvedValues(MatrixView<const float> values, Index count);

  MatrixView<const float> view() const { return values_.view(); }
  // Puts `means` of the halved values, doubled again, in the place of every number of `out` that is
  // not finite; and takes no number but the zeros of empty rows out of the range of its column, so
  // that the mean of equal values is that value.
  void replaceOverflow(const Matrix<float>& means, MatrixView<float> out) const;

private:
  int halvings_;
  Matrix<float> values_;
};

} // namespace attention
