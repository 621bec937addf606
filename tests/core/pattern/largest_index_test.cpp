// The choice of the largest score against plain loops, with ties, for every vector length.
#include "core/pattern/largest_scores.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <limits>
#include <vector>

using namespace attention;

namespace {

// From so few values that many are equal.
std::vector<double> drawn(Dice& dice, Index count) {
  std::vector<double> values;
  for (Index j = 0; j < count; ++j)
    values.push_back(static_cast<double>(dice.within(-3, 3)) / 2);
  return values;
}

} // namespace

TEST_CASE("the largest score is the first among equal ones") {
  const Index count = GENERATE(1, 2, 7, 8, 9, 64, 129);
  Dice dice(static_cast<int>(count));
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<double> scores = drawn(dice, count);
    CHECK(largestIndex(scores) == std::max_element(scores.begin(), scores.end()) - scores.begin());
    scores[static_cast<std::size_t>(dice.within(0, count - 1))] = 7;
    CHECK(largestIndex(scores) == std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  const std::vector<double> none(static_cast<std::size_t>(count),
                                 -std::numeric_limits<double>::infinity());
  CHECK(largestIndex(none) == 0);
}

TEST_CASE("the largest signed score and its margin are those of the numbers and their opposites") {
  const Index count = GENERATE(1, 2, 7, 8, 9, 16, 33);
  Dice dice(static_cast<int>(count));
  for (int turn = 0; turn < 100; ++turn) {
    std::vector<double> y = drawn(dice, count);
    if (turn % 2 == 1)
      y[static_cast<std::size_t>(dice.within(0, count - 1))] = turn % 4 == 1 ? 7 : -7;
    std::vector<double> both = y;
    for (const double value : y)
      both.push_back(-value);
    const auto first = std::max_element(both.begin(), both.end());
    const Index index = first - both.begin();
    const double largest = *first;
    both.erase(first);
    const LargestSigned found = largestSigned(y);
    CHECK(found.index == index);
    CHECK(found.margin == largest - *std::max_element(both.begin(), both.end()));
  }
}
