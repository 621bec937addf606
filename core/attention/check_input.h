// The checks of checkInput (attend.h), in parts: shapes before anything is read, and numbers piece
// by piece, so that a piece can be checked while its rows are in the cache for other work.
#pragma once

#include "core/pattern/lengths.h"
#include "core/support/matrix.h"

#include <array>
#include <atomic>

namespace attention {

template <class T>
void checkShapes(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                 MatrixView<const T> v);

template <class T>
class FiniteInput {
public:
  // The data behind the views must outlive this.
  FiniteInput(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v);

  // Checks one of `pieces` equal shares of the rows of all three. Throws E_NONFINITE where it has a
  // number that is not finite; the error names the first one of all.
  void require(Index piece, Index pieces) const;
  // `threads`: 0 is the machine's number.
  void requireAll(int threads) const;
  // Whether sums over all keys may overflow, judging by the values checked so far.
  bool hasLargeValues() const { return large_.load(std::memory_order_relaxed); }

private:
  struct Named {
    const char* name;
    MatrixView<const T> m;
  };

  void refuse() const;

  std::array<Named, 3> matrices_;
  T bound_; // bound on values with sums that stay within the type
  mutable std::atomic<bool> large_ = false;
};

} // namespace attention
