// The largest in rows of scores. For every row, its k best others without holding all scores in
// memory: scores come in tiles of 64 rows × 512 others, and only those that may still be among a
// row's best are kept. Also the single largest, which decides buckets and clusters.
#pragma once

#include "core/pattern/similarities.h"
#include "core/support/integers.h"
#include "core/support/run.h"

#include <functional>
#include <span>
#include <vector>

namespace attention {

// The k largest of numbers that come in the order of their indices; of equal ones the smaller
// index; NaN is never among them. Keeps about 2k plus what was added last. O(numbers) vector steps,
// and a few cuts of O(kept) where they come in random order.
class LargestScores {
public:
  explicit LargestScores(Index k) : k_(k) {}

  // Number t of `scores` has index first + t, beyond all earlier ones.
  void add(Index first, std::span<const double> scores);
  // Returns their indices, ascending, and starts over.
  std::vector<Index> take();

private:
  Index above(double bound) const;
  // Drops at least what ranks after the `most` ≥ k best; later numbers must exceed a bound that k
  // already exceed.
  void cut(Index most);
  // Drops what is below `bound`, and of those equal to it the later ones beyond k.
  void cutTies(double bound);

  Index k_;
  bool full_ = false;
  double bound_ = 0; // when full, scores up to it are out
  Index size_ = 0;
  std::vector<double> scores_; // rising indices
  std::vector<Index> indices_;
};

// The others among which a row chooses: those from `begin` to below `end`, except one.
struct Others {
  Index end = 0;
  Index without = -1;
  Index begin = 0;
};

// Rows and others whose scores come in tiles.
struct ScoreTiles {
  Index rows = 0;
  Index others = 0;
  // Sets scores(r, c) of row `row` + r with other `other` + c, for as many as `scores` has; of
  // others that the row does not choose among, any number. Called from several threads.
  std::function<void(Index row, Index other, MatrixView<double> scores)> compute;
};

// The k best others of every row, ascending; ties to the smaller index. The same at any number of
// threads. Memory O(rows · k + threads · tile).
std::vector<std::vector<Index>> largestScores(const ScoreTiles& tiles, Index k,
                                              const std::function<Others(Index row)>& others,
                                              int threads, const Run& run);

// Those of every row of x (rows × d), by `similarities`. O(rows · others · d).
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

// Over the numbers y followed by −y: what a hash by signed directions chooses (S6.1).
LargestSigned largestSigned(std::span<const double> y);

} // namespace attention
