// The attention weights of single queries as runs of keys, however the parts combine:
//
//   Union, Lse: p_ij = Σ_{parts with j} exp(s_ij − lse_i),
//   Mean:       p_ij = mean over the parts with a key of exp(s_ij − lse_i of the part),
//               less what a sink takes of all parts together.
//
// The basis of weights, entropies and whatever else looks at single rows.
#pragma once

#include "core/attention/logit_keys.h"
#include "core/attention/part_rows.h"
#include "core/attention/row_scores.h"

namespace attention {

template <class T>
class RowWeights {
public:
  // `keys` are those that logits use. The data behind the views must outlive this.
  RowWeights(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> keys,
             std::span<const T> lse, const Scoring& scoring)
      : pattern_(pattern), rows_(pattern), scores_(q, keys, scoring), lse_(lse),
        sinkShare_(scoring.sink.has_value()) {}

  // Calls visit(begin, p) for runs of keys in [j0, j1), which must hold everything that row i
  // attends to: p[t] is the weight of key begin + t, which may be 0. O(keys · d).
  template <class Visit>
  void visit(Index i, Index j0, Index j1, Visit visit) {
    if (rows_.combine() != Combine::Union) {
      addParts(i, j0, j1);
      visit(j0, std::span<const T>(weights_));
      return;
    }
    pattern_.row(i, ranges_);
    const T lse = lse_[static_cast<std::size_t>(i)];
    scores_.visit(i, ranges_, j0, j1, [&](Index begin, std::span<const T> s) {
      weights_.resize(s.size());
      exponentiate(s, lse);
      visit(begin, std::span<const T>(weights_));
    });
  }

private:
  void exponentiate(std::span<const T> scores, T lse);
  // The weights of [j0, j1), dense.
  void addParts(Index i, Index j0, Index j1);
  void addPart(std::size_t part, Index i, Index j0, Index j1, double lse, double share);
  // lse of a single part; −∞ where it has no key.
  double partLse(std::size_t part, Index i);

  const Prepared& pattern_;
  PartRows rows_;
  RowScores<T> scores_;
  std::span<const T> lse_;
  bool sinkShare_; // lse_ has a sink, which the parts' own have not
  KeyRanges ranges_;
  std::vector<T> weights_;
};

extern template class RowWeights<float>;
extern template class RowWeights<double>;

} // namespace attention
