// The checks on ready attention weights [n_q, n_k], [heads, n_q, n_k] or [batch, heads, n_q, n_k]:
// none is negative, and every row sums to 1 or, where a query has no key, to 0.
#pragma once

#include "core/input/tensor.h"

#include <optional>

namespace attention {

// How far from 1 the sum of a row may be through rounding: a softmax in float32 or better over n_k
// keys, (n_k + 2) ε/2, then rounded to the file's dtype, each weight by half a unit in its last
// place and by half the smallest number of the dtype.
double rowSumTolerance(DType dtype, Index keys);

struct RowSum {
  Index batch = 0;
  Index head = 0;
  Index row = 0;
  double sum = 0;
};

// The first row whose sum is neither 0 nor within the tolerance of 1; nothing if a weight is
// negative or not finite, which is reported when it is used. O(elements). E_IO: the file was
// rewritten since it was opened.
std::optional<RowSum> firstOddRow(const Tensor& weights, const Run& run = {});

// Whether an array that nobody names is read as attention weights: as many rows as columns, nothing
// negative, and no row sums to more than 1, within a hundredth, since weights may have been rounded
// to bfloat16 before they were saved; sinks take a part of a row. O(elements), or up to the first
// row that does.
// E_IO as above.
bool readsAsWeights(const Tensor& array, const Run& run = {});

// "Row 5 of head 3, layer 0, in W.npy sums to 2.5, not 1", with the axes that the array has.
std::string textOf(const RowSum& row, const Tensor& weights, const std::string& batchName);

// E_RANGE names the array and the place of a negative weight in `plane`, the plane of a batch and
// head.
template <class T>
void requireNoneNegative(const Tensor& weights, const Matrix<T>& plane, Index batch, Index head);

} // namespace attention
