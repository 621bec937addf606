// The keys that are shown one by one where there are many.
#include "core/analysis/steps/shown_keys.h"
#include "tests/catch.h"

#include <algorithm>
#include <numeric>

using namespace attention;

namespace {

std::vector<Index> firstKeys(Index count) {
  std::vector<Index> keys(static_cast<std::size_t>(count));
  std::iota(keys.begin(), keys.end(), Index{0});
  return keys;
}

bool has(const std::vector<Index>& keys, Index key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

} // namespace

TEST_CASE("few keys are all shown") {
  const auto keys = firstKeys(12);
  const ShownKeys shown = shownKeys(keys, std::vector<double>(12, 0.5), 3);
  CHECK(shown.keys == keys);
  CHECK(shown.others.empty());
}

TEST_CASE("from many keys the chosen, the nearest and the largest are shown") {
  const auto keys = firstKeys(100);
  std::vector<double> weights(100, 0.001);
  weights[7] = 0.4;
  weights[93] = -0.5; // features may be negative
  const std::vector<Index> chosen{20, 150};
  const ShownKeys shown = shownKeys(keys, weights, 50, chosen);
  CHECK(shown.keys.size() == kMostShownKeys);
  CHECK(shown.others.size() == 88);
  CHECK(std::is_sorted(shown.keys.begin(), shown.keys.end()));
  for (const Index key : {20, 7, 93, 49, 50, 51})
    CHECK(has(shown.keys, key));
  CHECK(has(shown.keys, 48) != has(shown.keys, 52)); // four of the nearest
  CHECK(has(shown.keys, 0));                         // ties go to the smaller key
  double sum = sumOver(shown.keys, weights) + sumOver(shown.others, weights);
  CHECK(sum == Approx(std::accumulate(weights.begin(), weights.end(), 0.0)));
}

TEST_CASE("more chosen keys than fit take all the room") {
  const auto keys = firstKeys(40);
  const ShownKeys shown = shownKeys(keys, std::vector<double>(40, 1.0), 39, firstKeys(30), 5);
  CHECK(shown.keys == firstKeys(5));
}
