// Dense products of row-major matrices, the core of several mechanisms: vector code chosen at run
// time (tile_products.h). T is float or double. Each result has the same bits whichever thread
// computes it.
#pragma once

#include "core/support/matrix.h"

namespace attention {

// out = a b, or out += a b: einsum("it,tj->ij", a, b). O(rows · inner · cols). The shapes must fit,
// `out` must not overlap a or b.
template <class T>
void multiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out, bool add = false);

// out = a bᵀ: einsum("it,jt->ij", a, b).
template <class T>
void multiplyTransposed(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out);

// out = aᵀ b, or out += aᵀ b: einsum("ti,tj->ij", a, b).
template <class T>
void transposedMultiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out,
                        bool add = false);

// Rows [begin, end) of a matrix.
template <class T>
MatrixView<T> rowsOf(MatrixView<T> m, Index begin, Index end) {
  return {m.data + begin * m.stride, end - begin, m.cols, m.stride};
}

} // namespace attention
