// The largest of rows of scores. For every row its k best others without all scores in memory:
// scores come in tiles of 64 rows × 512 others, and of a row only those are kept that may still be
// among its best. And the one largest, on which buckets and clusters are decided.
#pragma once

#include "core/pattern/similarities.h"
#include "core/support/integers.h"
#include "core/support/run.h"

#include <functional>
#include <span>
#include <vector>

namespace attention {

// The k largest of numbers that come in the order of their indices; of equal ones the smaller
// index; NaN is never among them. Keeps about 2k and what was added last. O(numbers) vector steps
// and a few cuts of O(kept) where they come in no order.
class LargestScores {
public:
  explicit LargestScores(Index k) : k_(k) {}

  // Number t of `scores` has index first + t, beyond all that came before.
  void add(Index first, std::span<const double> scores);
  // Their indices, rising; begins again.
  std::vector<Index> take();

private:
  Index above(double bound) const;
  // Drops what is behind the `most` ≥ k best at least; what comes later has to be above a bound
  // that k are above already.
  void cut(Index most);
  // Drops what is below `bound`, and of those equal to it the later ones beyond k.
  void cutTies(double bound);

  Index k_;
  bool full_ = false;
  double bound_ = 0; // where full: scores up to it are out
  Index size_ = 0;
  std::vector<double> scores_; // rising indices
  std::vector<Index> indices_;
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

// ---- the one largest, by vector code chosen at run time ----

// The index of the largest score; ties to the smaller index.
Index largestIndex(std::span<const double> scores);

struct LargestSigned {
  Index index = 0;   // in [y ; −y]
  double margin = 0; // by how much it is larger than the second
};

// Of the numbers y and, behind them, −y: what a hash by signed directions chooses (S6.1).
LargestSigned largestSigned(std::span<const double> y);

} // namespace attention
