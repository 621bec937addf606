// Runs of ones in a row of bits, and the keys that such a row holds as ranges.
#pragma once

#include "core/pattern/key_range.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace attention {

// Bits 0 … size − 1, 64 per word, lowest first.
struct BitRow {
  const std::uint64_t* words = nullptr;
  Index size = 0;

  // The first bit from `at` on that is set, or the first that is not; size where there is none.
  Index firstSet(Index at) const { return first(at, 0); }
  Index firstUnset(Index at) const { return first(at, ~std::uint64_t{0}); }
  // 64 bits from `at` on, with zeros after the last word.
  std::uint64_t bitsFrom(Index at) const {
    const std::uint64_t low = words[at / 64] >> at % 64;
    const bool more = at % 64 != 0 && at / 64 + 1 < ceilDiv(size, 64);
    return more ? low | words[at / 64 + 1] << (64 - at % 64) : low;
  }

private:
  Index first(Index at, std::uint64_t unlike) const {
    while (at < size) {
      const std::uint64_t rest = (words[at / 64] ^ unlike) >> at % 64;
      if (rest != 0)
        return std::min(size, at + static_cast<Index>(std::countr_zero(rest)));
      at = (at / 64 + 1) * 64;
    }
    return size;
  }
};

// Iterates over the maximal runs of ones: next(), then begin() and end().
class BitRuns {
public:
  explicit BitRuns(const BitRow& row) : row_(row) {}

  bool next() {
    begin_ = row_.firstSet(end_);
    end_ = row_.firstUnset(begin_);
    return begin_ < row_.size;
  }
  Index begin() const { return begin_; }
  Index end() const { return end_; }

private:
  BitRow row_;
  Index begin_ = 0;
  Index end_ = 0;
};

// Appends the keys of a span whose bits are set, j at bit j − span.begin: runs, and combs where
// runs of one length recur at one distance, as in formulas with a modulus. Disjoint and sorted.
// O(words + runs).
void appendRanges(std::span<const std::uint64_t> bits, const KeySpan& span, KeyRanges& ranges);

} // namespace attention
