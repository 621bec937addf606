// What attention by a kernel gives (S3.3): A V as it is, or D⁻¹ A V with D = diag(d_i), d_i the sum
// of row i of A. Kernels that are not positive (trigonometric random features) make d_i zero or
// negative, and exponentials of long vectors overflow; such rows are flagged instead of hidden.
#pragma once

#include "core/support/matrix.h"

#include <span>
#include <vector>

namespace attention {

template <class T>
struct KernelAttention {
  Matrix<T> out;                    // n_q × d_v
  std::vector<T> denominators;      // n_q: d_i, also where they are not divided by
  std::vector<Index> zeroRows;      // normalised, d_i = 0: the row of `out` is zero
  std::vector<Index> negativeRows;  // normalised, d_i < 0: the quotient as it is
  std::vector<Index> nonFiniteRows; // d_i or the row overflowed or is NaN

  // Rows whose numbers are no mean of values: those of the three lists, rising, each once.
  std::vector<Index> flagged() const;
};

// The two halves of finishRows, for those who write their sums to `out` themselves. A row of A V
// becomes the result's by its d_i; gives whether it and d_i are finite.
template <class T>
bool finishRow(std::span<T> row, T d, bool normalized);
// Fills the lists from the denominators and from which rows are finite.
template <class T>
void flagRows(KernelAttention<T>& result, bool normalized, const std::vector<char>& finite);

// Makes the result of n_q × (d_v + 1) sums: A V, and d_i in the last column. O(n_q d_v).
template <class T>
KernelAttention<T> finishRows(const Matrix<T>& sums, bool normalized);

// V with a column of ones at the right, whose product with A is d: n_k × (d_v + 1).
template <class T>
Matrix<T> withOnes(MatrixView<const T> v);

} // namespace attention
