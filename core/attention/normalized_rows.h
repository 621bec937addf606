// The result of attention by a kernel (S3.3): A V, or D⁻¹ A V with D = diag(d_i), where d_i is the
// sum of row i of A. Kernels that are not positive (trigonometric random features) make d_i zero or
// negative, and exponentials of long vectors overflow; such rows are flagged instead of hidden.
#pragma once

#include "core/support/matrix.h"

#include <span>
#include <vector>

namespace attention {

template <class T>
struct KernelAttention {
  Matrix<T> out;                    // n_q × d_v
  std::vector<T> denominators;      // n_q: d_i, even if nothing is divided by them
  std::vector<Index> zeroRows;      // normalised, d_i = 0: the row of `out` is zero
  std::vector<Index> negativeRows;  // normalised, d_i < 0: the plain quotient
  std::vector<Index> nonFiniteRows; // d_i or the row overflowed or is NaN

  // Rows that are not means of values: those of the three lists, ascending, each once.
  std::vector<Index> flagged() const;
};

// The two halves of finishRows, for those who write their sums to `out` themselves. Turns a row of
// A V into the result's by its d_i; returns whether it and d_i are finite.
template <class T>
bool finishRow(std::span<T> row, T d, bool normalized);
// Fills the lists from the denominators and the finite rows.
template <class T>
void flagRows(KernelAttention<T>& result, bool normalized, const std::vector<char>& finite);

// Makes the result from n_q × (d_v + 1) sums: A V, with d_i in the last column. O(n_q d_v).
template <class T>
KernelAttention<T> finishRows(const Matrix<T>& sums, bool normalized);

// V with a column of ones on the right, whose product with A is d: n_k × (d_v + 1).
template <class T>
Matrix<T> withOnes(MatrixView<const T> v);

} // namespace attention
