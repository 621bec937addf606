// Means of values near the largest float: their sums overflow where the means do not. Then the
// values are halved often enough before they are added and the means doubled as often, which rounds
// only numbers near the smallest float.
#pragma once

#include "core/attention/normalized_rows.h"
#include "core/support/matrix.h"

#include <functional>

namespace attention {

// Halved so often that sums of `count` of them are finite.
class HalvedValues {
public:
  HalvedValues(MatrixView<const float> values, Index count);

  MatrixView<const float> view() const { return values_.view(); }
  // Replaces every number of `out` that is not finite by `means` of the halved values, doubled
  // again; and keeps every number, other than the zeros of empty rows, within the range of its
  // column, so that the mean of equal values is that value.
  void replaceOverflow(const Matrix<float>& means, MatrixView<float> out) const;

private:
  int halvings_;
  Matrix<float> values_;
};

// The same for kernels and features: `attend` gives rows of `values` that are divided by their
// sums, written to `out`, or in its result where `out` has no rows. Where the largest value is
// beyond the square root of the type's largest number, it gets the values divided by the power of
// two below that value, and its rows are multiplied back; those that then overflow are listed in
// nonFiniteRows. Otherwise it costs O(n_k d_v) to check the values.
template <class T>
KernelAttention<T>
attendToLarge(MatrixView<const T> values, MatrixView<T> out,
              const std::function<KernelAttention<T>(MatrixView<const T>)>& attend);

} // namespace attention
