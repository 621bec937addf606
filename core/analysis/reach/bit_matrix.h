// A boolean matrix with one bit per cell: 32 MiB at n = 16 384. Rows begin on cache lines and hold
// whole words; the bits after the last column are zero.
#pragma once

#include "core/pattern/bit_runs.h"
#include "core/pattern/key_range.h"
#include "core/support/integers.h"
#include "core/support/run.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace attention {

using BitWord = std::uint64_t;
constexpr Index kWordBits = 64;
constexpr Index kLineWords = 8; // words of a cache line

// Calls visit(begin, end) for every maximal run of ones, in ascending order.
template <class Visit>
void forEachRun(std::span<const BitWord> words, Visit visit) {
  for (BitRuns run({words.data(), static_cast<Index>(words.size()) * kWordBits}); run.next();)
    visit(run.begin(), run.end());
}

// Sets the bits [begin, end). O(words).
void setBits(std::span<BitWord> words, Index begin, Index end);

inline bool bitAt(std::span<const BitWord> words, Index j) {
  return (words[static_cast<std::size_t>(j / kWordBits)] >> (j % kWordBits) & 1) != 0;
}

// Ones among the bits [begin, end).
Index countBits(std::span<const BitWord> words, Index begin, Index end);

class BitMatrix {
public:
  BitMatrix() = default;
  BitMatrix(Index rows, Index cols); // all zero

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index wordsPerRow() const { return words_; } // a multiple of kLineWords

  std::span<BitWord> row(Index i) { return {at(i), static_cast<std::size_t>(words_)}; }
  std::span<const BitWord> row(Index i) const { return {at(i), static_cast<std::size_t>(words_)}; }
  bool operator()(Index i, Index j) const { return bitAt(row(i), j); }

  // The ones of row i as ranges, sorted; `ranges` is overwritten.
  void ranges(Index i, KeyRanges& ranges) const;

  bool operator==(const BitMatrix& other) const;

private:
  struct Free {
    void operator()(BitWord* words) const;
  };
  BitWord* at(Index i) const { return first_ + i * stride_; }

  Index rows_ = 0;
  Index cols_ = 0;
  Index words_ = 0;
  Index stride_ = 0; // an odd number of cache lines: columns of lines use all of the cache
  std::unique_ptr<BitWord[], Free> data_;
  BitWord* first_ = nullptr; // of a cache line
};

// The matrix whose row i holds the keys that `row(i, ranges)` gives; with `identity` also i itself.
// The same bits at any number of threads.
BitMatrix bitMatrix(Index n, const std::function<void(Index, KeyRanges&)>& row, bool identity,
                    int threads, const Run& run);

// An explicit copy, never made by accident: matrices are large.
BitMatrix copyOf(const BitMatrix& matrix);

// Counts the ones of many words, by vector code chosen at run time: the oldest machines that the
// program supports count a word by a table.
Index countOnes(std::span<const std::uint64_t> words);

} // namespace attention
