#include "core/pattern/primitive.h"

#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>

using namespace attention;

namespace {

Rect randomRect(Dice& dice, Index n) {
  return dice.rect(n, n);
}

Primitive randomPrimitive(Dice& dice, Index n, const Rect& clip) {
  const Index period = dice.within(1, 7);
  const Index lo = dice.within(0, period - 1);
  const Index hi = dice.within(lo + 1, period);
  const bool causal = dice.within(0, 1) == 1;
  const Index offset = dice.within(-4, 3);
  switch (dice.within(0, 4)) {
  case 0:
    return area(clip);
  case 1:
    return band(dice.within(-n, n), dice.within(-n, n), period, clip);
  case 2:
    return columnComb(period, lo, hi, causal, clip);
  case 3:
    return blocks(period, offset, offset + dice.within(0, 3), causal, clip);
  default:
    return blockColumns(period, lo, hi, causal, clip);
  }
}

Index slowCount(const Primitive& primitive, const Rect& rect) {
  Index cells = 0;
  for (Index i = rect.rowBegin; i < rect.rowEnd; ++i)
    for (Index j = rect.keyBegin; j < rect.keyEnd; ++j)
      cells += contains(primitive, i, j) ? 1 : 0;
  return cells;
}

} // namespace

TEST_CASE("Counts and rows of random primitives equal their cells", "[primitive]") {
  Dice dice(GENERATE(range(0, 400)));
  const Index n = dice.within(1, 23);
  const Primitive p = randomPrimitive(dice, n, randomRect(dice, n));
  const Rect rect = randomRect(dice, n);
  INFO("shape " << static_cast<int>(p.shape) << " period " << p.period << " lo " << p.lo << " hi "
                << p.hi << " causal " << p.causal << " n " << n);
  CHECK(count(p, rect) == slowCount(p, rect));
  for (Index i = 0; i < n; ++i) {
    KeyRanges ranges;
    appendRow(p, i, ranges);
    const KeyRange span = keySpan(p, i, i + 1);
    for (Index j = 0; j < n; ++j) {
      int holding = 0;
      for (const KeyRange& range : ranges)
        holding += contains(range, j) ? 1 : 0;
      REQUIRE(holding == (contains(p, i, j) ? 1 : 0));
      if (holding)
        REQUIRE(contains(span, j));
    }
  }
}

TEST_CASE("Intersections of random primitives hold the common cells", "[primitive]") {
  Dice dice(GENERATE(range(1000, 1600)));
  const Index n = dice.within(1, 19);
  const Primitive a = randomPrimitive(dice, n, randomRect(dice, n));
  const Primitive b =
      dice.within(0, 3) == 0 ? band(0, kUnbounded) : randomPrimitive(dice, n, randomRect(dice, n));
  const auto both = intersection(a, b);
  if (!both)
    return;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      REQUIRE(contains(*both, i, j) == (contains(a, i, j) && contains(b, i, j)));
}

TEST_CASE("Normalised runs stay normalised when a few more join them", "[ranges]") {
  Dice dice(GENERATE(range(2200, 2400)));
  KeyRanges ranges;
  for (Index begin = dice.within(0, 6); begin < 60; begin = ranges.back().end + dice.within(1, 6))
    ranges.push_back({begin, begin + dice.within(1, 5), 1, 1});
  for (Index k = dice.within(0, 6); k > 0; --k) {
    const Index begin = dice.within(0, 70);
    ranges.push_back({begin, begin + dice.within(0, 12), 1, 1});
  }
  const KeyRanges before = ranges;
  normalise(ranges);
  for (Index j = 0; j < 90; ++j) {
    const auto holds = [j](const KeyRange& range) { return contains(range, j); };
    REQUIRE(std::count_if(ranges.begin(), ranges.end(), holds) ==
            (std::any_of(before.begin(), before.end(), holds) ? 1 : 0));
  }
  for (std::size_t k = 1; k < ranges.size(); ++k) // runs that touch are one
    REQUIRE(ranges[k - 1].end < ranges[k].begin);
}

TEST_CASE("Normalised ranges are disjoint and sorted and hold the same keys", "[ranges]") {
  Dice dice(GENERATE(range(2000, 2200)));
  KeyRanges ranges;
  for (Index k = dice.within(0, 5); k > 0; --k) {
    const Index begin = dice.within(0, 30);
    const Index period = dice.within(1, 6);
    ranges.push_back({begin, dice.within(begin, 40), period, dice.within(1, period)});
  }
  const KeyRanges before = ranges;
  normalise(ranges);
  for (Index j = 0; j < 45; ++j) {
    bool held = false;
    for (const KeyRange& range : before)
      held = held || contains(range, j);
    int holding = 0;
    for (const KeyRange& range : ranges)
      holding += contains(range, j) ? 1 : 0;
    REQUIRE(holding == (held ? 1 : 0));
  }
  for (std::size_t k = 1; k < ranges.size(); ++k)
    REQUIRE(ranges[k - 1].begin < ranges[k].begin);
}
