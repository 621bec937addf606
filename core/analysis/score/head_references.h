// What the rows of a score board are measured against: for each model head, dense attention over a
// base and the keys with the largest weights in it. Every method needs the same ones, so they are
// kept; of the heads' own matrices, only the ones used last.
#pragma once

#include "core/analysis/score/score_board.h"
#include "core/attention/attend.h"

#include <memory>
#include <vector>

namespace attention {

template <class T>
struct HeadReference {
  Index head = 0;
  Base base = Base::Full;
  KeyRule keys;
  bool others = false; // the own key is none of the largest
  Attention<T> dense;
  std::shared_ptr<const Prepared> largest; // for every query, the keys of the recall
};

template <class T>
AttendOptions attendOptions(const ScoredHead<T>& head, const ScoreOptions& options) {
  AttendOptions scores = head.scores;
  scores.threads = options.threads;
  return scores;
}

template <class T>
class HeadReferences {
public:
  // Both must outlive it.
  HeadReferences(const ScoredInput<T>& input, const ScoreOptions& options)
      : input_(input), options_(options) {}

  Index heads() const { return input_.heads; }
  Index n() const { return input_.n; }
  bool values() const { return input_.values; }

  // Valid until another one is requested.
  const ScoredHead<T>& head(Index h);

  // What a method is measured against, besides the head.
  struct Against {
    Base base = Base::Full;
    KeyRule keys = {};
    bool others = false; // recall counts only the other keys
  };
  // For head h, dense attention with these keys: O(n² d) where it is not known yet.
  const HeadReference<T>& of(Index h, const Against& against, const Run& run);

private:
  const ScoredInput<T>& input_;
  const ScoreOptions& options_;
  ScoredHead<T> head_;
  Index loaded_ = -1;
  std::vector<std::unique_ptr<HeadReference<T>>> known_;
};

} // namespace attention
