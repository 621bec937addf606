#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

// Rows, counts and parts against membership, cell by cell.
void checkAgainstCells(const Prepared& p) {
  const Lengths& lengths = p.lengths();
  Index total = 0;
  KeyRanges ranges;
  for (Index i = 0; i < lengths.queries; ++i) {
    p.row(i, ranges);
    Index keys = 0;
    for (Index j = 0; j < lengths.keys; ++j) {
      int holding = 0;
      for (const KeyRange& range : ranges)
        holding += contains(range, j) ? 1 : 0;
      const bool in = p.contains(i, j);
      REQUIRE(holding == (in ? 1 : 0));
      const Explanation why = p.why(i, j);
      REQUIRE(why.attends == in);
      REQUIRE(!why.text.empty());
      if (in)
        REQUIRE(p.contains(static_cast<std::size_t>(why.part), i, j));
      keys += in ? 1 : 0;
    }
    REQUIRE(p.rowCount(i, 0, lengths.keys) == keys);
    total += keys;
  }
  REQUIRE(p.pairs() == total);
}

void checkRectangles(const Prepared& p, Dice& dice) {
  for (int k = 0; k < 20; ++k) {
    const Rect rect = dice.rect(p.lengths().queries, p.lengths().keys);
    Index cells = 0;
    KeyRanges ranges;
    for (Index i = rect.rowBegin; i < rect.rowEnd; ++i) {
      p.row(i, {rect.keyBegin, rect.keyEnd}, ranges);
      Index keys = 0;
      for (Index j = rect.keyBegin; j < rect.keyEnd; ++j)
        keys += p.contains(i, j) ? 1 : 0;
      Index inRanges = 0;
      for (const KeyRange& range : ranges) {
        REQUIRE(range.begin >= rect.keyBegin);
        REQUIRE(range.end <= rect.keyEnd);
        inRanges += count(range);
      }
      REQUIRE(inRanges == keys);
      cells += keys;
    }
    REQUIRE(p.count(rect) == cells);
  }
}

} // namespace

TEST_CASE("Rows, counts and reasons of every mechanism agree with its cells", "[family]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  const int seed = GENERATE(range(0, 40));
  Dice dice(1000 * mechanism + seed);
  const Index n = dice.within(1, 33);
  const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
  INFO(shortText(pattern) << ", n = " << n);
  const auto p = prepare(pattern, squareLengths(n), randomData(n));
  checkAgainstCells(*p);
  checkRectangles(*p, dice);
}
