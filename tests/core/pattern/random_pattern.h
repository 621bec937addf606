// Random parameters within their bounds, from the descriptions alone, for laws over the family.
#pragma once

#include "core/pattern/pattern.h"
#include "core/support/philox.h"

namespace attention {

// A stream of small numbers.
class Dice {
public:
  explicit Dice(int seed) : stream_{static_cast<std::uint64_t>(seed), philox::Purpose::Data, 0} {}
  Index within(Index low, Index high) {
    const auto span = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<Index>(philox::below(philox::draw(stream_, next_++).a, span));
  }
  bool chance(Index outOf) { return within(0, outOf - 1) == 0; }
  Rect rect(Index rows, Index keys) {
    const Index i0 = within(0, rows);
    const Index j0 = within(0, keys);
    return {i0, within(i0, rows), j0, within(j0, keys)};
  }

private:
  philox::Stream stream_;
  std::uint64_t next_ = 0;
};

// Queries and keys for patterns that depend on them, with few different numbers, so that scores tie
// and rows repeat; shared where n is a multiple of 3.
PatternData randomData(Index n, Index d = 3);

// Whether patterns of the mechanism are made of others: compositions, what is drawn on a pattern.
bool isMadeOfOthers(std::size_t mechanism);

// Whether its layout fixes n, so that there may not be more queries than keys (T1 – T5).
bool hasLayout(const Pattern& pattern);

// Strokes of every shape, some of them again and again, mirrored, or beyond n.
StrokeList randomStrokes(Dice& dice, Index n);

Pattern randomPattern(Dice& dice, std::size_t mechanism, Index n, int depth = 0);

} // namespace attention
