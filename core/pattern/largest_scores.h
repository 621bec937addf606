// For every row its k best others by score, without all scores in memory: scores come in tiles of
// 64 rows × 512 others, and of a row only those are kept that may still be among its best.
#pragma once

#include "core/pattern/similarities.h"
#include "core/support/run.h"

#include <functional>
#include <span>
#include <vector>

namespace attention {

// The k largest of numbers that come in the order of their indices; of equal ones the smaller
// index. Keeps at most 2k + 64 at a time, O(numbers + k log numbers) where they come in no order.
class LargestScores {
public:
  explicit LargestScores(Index k) : k_(k) {}

  // Number t of `scores` has index first + t, beyond all that came before.
  void add(Index first, std::span<const double> scores);
  // Their indices, rising; begins anew.
  std::vector<Index> take();

private:
  struct Candidate {
    double score;
    Index index;
  };
  // Leaves the k best of more; what comes later has to be better than the worst of them.
  void cut();

  Index k_;
  bool full_ = false;
  double least_ = 0; // where full: scores up to it are out
  std::vector<Candidate> kept_;
};

// Among which others a row chooses: those below `end` but one.
struct Others {
  Index end = 0;
  Index without = -1;
};

// The k best others of every row of x (rows × d), rising, by `similarities`. The same at any number
// of threads. O(rows · others · d); memory O(rows · k + threads · tile).
std::vector<std::vector<Index>> largestScores(const Similarities& similarities,
                                              MatrixView<const double> x, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run);

} // namespace attention
