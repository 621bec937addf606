// The attention weights of single queries as runs of keys, however the parts combine:
//
//   Union, Lse: p_ij = Σ_{parts with j} exp(s_ij − lse_i),
//   Mean:       p_ij = mean over the parts with a key of exp(s_ij − lse_i of the part),
//               less what a sink takes of all parts together,
//   gated:      p_ij = Σ_b g_ib p_ij of branch b (S22): the weight of a compressed key is shared
//               alike by the keys that it is the mean of, so that out = P V. One that is given in
//               place of a mean stands for no keys, so theirs is only what they have by themselves.
//
// The basis of weights, entropies and whatever else looks at single rows.
#pragma once

#include "core/attention/branch_keys.h"
#include "core/attention/logit_keys.h"
#include "core/attention/part_rows.h"
#include "core/attention/row_scores.h"

#include <algorithm>
#include <cmath>

namespace attention {

// exp(score − lse), at most 1: of very large scores, such as 1e10, a score and the lse that was
// made of it in another order may differ by thousands.
template <class T>
T weightOf(T score, T lse) {
  return std::exp(std::min(score - lse, T{0}));
}

// A branch whose weights are those of keys: read by themselves, or means of them.
template <class T>
struct WeighedBranch {
  BranchKeys<T> own;
  std::size_t gate = 0; // its place among the branches
  Matrix<T> means;      // of compressed keys

  MatrixView<const T> keys(MatrixView<const T> k) const {
    return own.compressed() ? means.view() : k;
  }
};

// What weights are computed from besides the queries: the keys that logits use, and those of every
// branch. Made once for many rows; O(n_k d), nothing where keys are used as they are.
template <class T>
class WeightKeys {
public:
  // The pattern and the data behind the views must outlive this.
  WeightKeys(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k);

  MatrixView<const T> view() const { return keys_.view(); }
  std::span<const WeighedBranch<T>> branches() const { return branches_; }

private:
  LogitKeys<T> keys_;
  std::vector<WeighedBranch<T>> branches_;
};

template <class T>
class RowWeights {
public:
  // The data behind all of these must outlive this.
  RowWeights(const Prepared& pattern, MatrixView<const T> q, const WeightKeys<T>& keys,
             std::span<const T> lse, const Scoring& scoring)
      : pattern_(pattern), rows_(pattern), scores_(q, keys.view(), scoring), lse_(lse),
        sink_(scoring.sink) {
    for (const WeighedBranch<T>& branch : keys.branches())
      branches_.push_back({&branch, {q, branch.keys(keys.view()), scoring}});
  }

  // Calls visit(begin, p) for runs of keys in [j0, j1), which must hold everything that row i
  // attends to: p[t] is the weight of key begin + t, which may be 0. O(keys · d).
  template <class Visit>
  void visit(Index i, Index j0, Index j1, Visit visit) {
    if (rows_.gated() || rows_.combine() != Combine::Union) {
      if (rows_.gated())
        addBranches(i, j0, j1);
      else
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
  void addBranches(Index i, Index j0, Index j1);
  void addParts(Index i, Index j0, Index j1);
  void addPart(std::size_t part, Index i, Index j0, Index j1, double lse, double share);
  // lse of a single part, of the layers' keys; −∞ where it has none.
  double partLse(std::size_t part, Index i);

  struct BranchRows {
    const WeighedBranch<T>* of;
    RowScores<T> scores;
  };
  // Softmax over the keys of a branch: of all its keys, zeros where the query does not see them.
  std::span<const T> branchRow(BranchRows& branch, Index i);

  const Prepared& pattern_;
  PartRows rows_;
  RowScores<T> scores_;
  std::span<const T> lse_;
  std::optional<double> sink_; // which lse_ has, and the parts' own have not
  std::vector<BranchRows> branches_;
  KeyRanges ranges_;
  std::vector<T> weights_;
  std::vector<T> ownWeights_;     // of a branch
  std::vector<double> allShares_; // of all keys, over the branches
};

extern template class WeightKeys<float>;
extern template class WeightKeys<double>;

extern template class RowWeights<float>;
extern template class RowWeights<double>;

} // namespace attention
