// Sums over an inner index for all pairs of rows, the loop shared by matrix products and distances:
// out(i, j) = Σ_t a(i, t) b(t, j), or −Σ_t (a(i, t) − b(t, j))². Compiled once for each kind of
// vectors and chosen at run time, with register tiles of 6 rows by up to 4 vectors.
//
// Every sum is taken in the order of t, whatever its place in `out`, with fused steps (where the
// vectors have them) except for RoundedProducts: equal rows and columns give equal bits. Memory
// beyond the operands: one panel of 32 KiB on the stack.
#pragma once

#include "core/support/matrix.h"

namespace attention {

enum class TileSum {
  Products,        // out = Σ a b
  RoundedProducts, // the same, with each product rounded before it is added, so that cancellation
                   // is exact
  AddProducts,     // out += Σ a b
  MinusDistances,  // out = −Σ (a − b)²
};

// A matrix read by rows and columns: (i, t) at data[i · row + t · col].
template <class T>
struct StridedView {
  const T* data = nullptr;
  Index row = 0;
  Index col = 0;
};

// a: out.rows × inner; b: inner × out.cols, with b.row or b.col 1. T is float or double.
// O(out.rows · inner · out.cols).
template <class T>
void tileSums(TileSum sum, const StridedView<T>& a, const StridedView<T>& b, Index inner,
              MatrixView<T> out);

} // namespace attention
