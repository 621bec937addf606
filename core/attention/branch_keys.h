// A branch of a pattern that adds several softmaxes (S22) as attention over a mask and keys of its
// own: those of the pattern, or means of stretches of them.
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/matrix.h"

#include <memory>
#include <span>

namespace attention {

template <class T>
class BranchKeys {
public:
  // Both must outlive it.
  BranchKeys(const Branch& branch, const Lengths& lengths);

  bool compressed() const { return branch_.block > 0; }
  Index count() const { return count_; }
  const Prepared& pattern() const { return pattern_; } // queries × own keys

  // n_k × d rows as keys or values of the branch: `given`, or means where it is null.
  Matrix<T> of(MatrixView<const T> rows, const std::shared_ptr<const Matrix<double>>& given) const;

  // Adds gate times what the weights of query i's own keys give to every key of the pattern; the
  // keys of a stretch share alike.
  void spread(Index i, std::span<const T> weights, double gate, std::span<double> into) const;

private:
  static Index countOf(const Branch& branch, const Lengths& lengths);
  static Prepared patternOf(const Branch& branch, const Lengths& lengths, Index count);
  T meanOf(MatrixView<const T> rows, Index c, Index t) const;

  const Branch& branch_;
  Index count_;
  Prepared pattern_;
};

extern template class BranchKeys<float>;
extern template class BranchKeys<double>;

// The weight of branch b in the output of query i.
double gateOf(const Branches& branches, Index i, std::size_t b);

} // namespace attention
