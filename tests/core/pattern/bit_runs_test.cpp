#include "core/pattern/bit_runs.h"

#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <vector>

using namespace attention;

namespace {

std::vector<std::uint64_t> bitsOf(const std::vector<bool>& held) {
  std::vector<std::uint64_t> bits((held.size() + 63) / 64);
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k])
      bits[k / 64] |= std::uint64_t{1} << k % 64;
  return bits;
}

KeyRanges rangesOf(const std::vector<bool>& held, Index begin) {
  KeyRanges ranges;
  appendRanges(bitsOf(held), {begin, begin + static_cast<Index>(held.size())}, ranges);
  return ranges;
}

} // namespace

TEST_CASE("Ranges of a row of bits hold its keys, disjoint and in order", "[ranges]") {
  Dice dice(GENERATE(range(4000, 4200)));
  std::vector<bool> held(static_cast<std::size_t>(dice.within(1, 400)));
  // Stretches that repeat, and stretches that do not.
  for (std::size_t k = 0; k < held.size();) {
    const Index period = dice.within(1, 80);
    const Index width = dice.within(0, period);
    const bool random = dice.chance(3);
    for (Index t = dice.within(1, 250); t > 0 && k < held.size(); --t, ++k)
      held[k] = random ? dice.chance(2) : t % period < width;
  }
  const Index begin = dice.within(0, 1000);
  const KeyRanges ranges = rangesOf(held, begin);
  for (std::size_t k = 0; k < held.size(); ++k) {
    int holding = 0;
    for (const KeyRange& range : ranges)
      holding += contains(range, begin + static_cast<Index>(k)) ? 1 : 0;
    REQUIRE(holding == (held[k] ? 1 : 0));
  }
  for (std::size_t k = 1; k < ranges.size(); ++k)
    REQUIRE(ranges[k - 1].end <= ranges[k].begin);
}

TEST_CASE("Four or more runs at equal distances are a comb", "[ranges]") {
  const auto comb = [](std::size_t size) {
    std::vector<bool> held(size);
    for (std::size_t k = 5; k < size; ++k)
      held[k] = (k - 5) % 70 < 3;
    return held;
  };
  CHECK(rangesOf(comb(1000), 100) == KeyRanges{{105, 1100, 70, 3}});
  CHECK(rangesOf(comb(5 + 4 * 70), 0) == KeyRanges{{5, 285, 70, 3}});
  CHECK(rangesOf(comb(5 + 2 * 70), 0) == KeyRanges{{5, 8, 1, 1}, {75, 78, 1, 1}});
  CHECK(rangesOf(std::vector<bool>(200, true), 7) == KeyRanges{{7, 207, 1, 1}});
  CHECK(rangesOf(std::vector<bool>(200, false), 7).empty());
}
