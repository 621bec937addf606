// A set of pairs (i, j) of n tokens, one bit per pair: n² / 8 bytes however many there are. Dense
// random graphs are drawn into it.
#pragma once

#include "core/pattern/row_table.h"
#include "core/support/run.h"

#include <cstdint>
#include <vector>

namespace attention {

class PairBits {
public:
  // The empty set, n ≥ 1.
  explicit PairBits(Index n);

  Index n() const { return n_; }
  // Rows share no word: threads may set pairs of different rows.
  void set(Index i, Index j) { word(i, j / kSide) |= std::uint64_t{1} << (j % kSide); }

  // Adds (i, j) for every pair (j, i) of `upper`, of the same n, which holds only pairs with i ≤ j;
  // it may be this set. O(n²) bits.
  void addMirrored(const PairBits& upper, const Run& run);

  // Appends the runs of keys of row i below `end`.
  void appendRuns(Index i, Index end, std::vector<KeyRun>& runs) const;

private:
  static constexpr Index kSide = 64; // bits per word, and rows per tile of words

  std::uint64_t& word(Index i, Index k) { return words_[static_cast<std::size_t>(i * wide_ + k)]; }
  std::uint64_t word(Index i, Index k) const {
    return words_[static_cast<std::size_t>(i * wide_ + k)];
  }
  void addMirroredTile(const PairBits& upper, Index a, Index b);

  Index n_;
  Index wide_; // words per row
  std::vector<std::uint64_t> words_;
};

} // namespace attention
