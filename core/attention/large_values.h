// Means of values near the end of the floats: their sums overflow where the means do not. Then the
// values are halved often enough before they are added, and the means doubled as often, which
// rounds nothing but numbers near the least of the floats.
#pragma once

#include "core/attention/normalized_rows.h"
#include "core/support/matrix.h"

#include <functional>

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

// The same for kernels and features: `attend` gives rows of `values` that are divided by their
// sums, written to `out`, or in its result where `out` has no rows. Where the largest value is
// beyond the root of the type's largest number, it is given the values divided by the power of two
// below that value, and its rows are multiplied again; those that overflow then are named in
// nonFiniteRows. Else O(n_k d_v) for a look at the values.
template <class T>
KernelAttention<T>
attendToLarge(MatrixView<const T> values, MatrixView<T> out,
              const std::function<KernelAttention<T>(MatrixView<const T>)>& attend);

} // namespace attention
