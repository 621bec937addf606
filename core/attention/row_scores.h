// The scores of one query for the keys that it sees, in the order of its ranges: the basis of
// weights, entropies and whatever else looks at single rows.
#pragma once

#include "core/attention/attend.h"

#include <span>
#include <vector>

namespace attention {

// Calls visit(begin, scores) for every run of keys of `ranges` within [j0, j1): scores[t] is
// that of q and k_{begin + t} (scoring.h). `buffer` is scratch memory; pass the same one in loops.
template <class T>
class RowScores {
public:
  RowScores(MatrixView<const T> q, MatrixView<const T> k, const Scoring& scoring)
      : q_(q), k_(k), scoring_(scoring) {}

  template <class Visit>
  void visit(Index i, const KeyRanges& ranges, Index j0, Index j1, Visit visit) {
    cut_.clear();
    for (const KeyRange& range : ranges)
      appendCut(range, j0, j1, cut_);
    for (const KeyRange& range : cut_)
      forEachRun(range, [&](Index begin, Index end) {
        compute(i, begin, end);
        visit(begin, std::span<const T>(scores_));
      });
  }

private:
  // scores_[t] of q_i·k_{begin + t}: einsum("d,td->t", q, k).
  void compute(Index i, Index begin, Index end);

  MatrixView<const T> q_;
  MatrixView<const T> k_;
  Scoring scoring_;
  KeyRanges cut_;
  std::vector<T> scores_;
};

extern template class RowScores<float>;
extern template class RowScores<double>;

} // namespace attention
