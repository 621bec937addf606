// Queries with similar sets of keys are computed together, wherever they are.
#include "core/attention/attend.h"
#include "core/attention/reference.h"
#include "core/attention/tile_plan.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <numeric>

using namespace attention;

namespace {

constexpr Index kQueries = 1024;
constexpr Index kSets = 16;
constexpr Index kKeys = 40; // a set

// Set s: the keys 25 k + s. Query i has set `setOf[i]`.
Prepared clusters(const std::vector<Index>& setOf) {
  RowTable table;
  for (Index i = 0; i < kQueries; ++i) {
    std::vector<KeyRun> runs;
    for (Index k = 0; k < kKeys; ++k) {
      const Index key = 25 * k + setOf[static_cast<std::size_t>(i)];
      runs.push_back({key, key + 1, false});
    }
    table.appendGroup(i + 1, runs);
  }
  return {squareLengths(kQueries),
          {{"sets", "sets", std::make_shared<const RowTable>(std::move(table))}}};
}

std::vector<Index> randomSets() {
  Dice dice(5);
  std::vector<Index> sets(static_cast<std::size_t>(kQueries));
  for (Index& set : sets)
    set = dice.within(0, kSets - 1);
  return sets;
}

std::vector<Index> orderOf(const Prepared& pattern) {
  BlockPlanner planner(16);
  return similarOrder([&](Index i, KeyRanges& ranges) { pattern.row(i, ranges); },
                      pattern.lengths().queries, planner, 1, {});
}

} // namespace

TEST_CASE("queries of equal sets of keys become neighbours") {
  const std::vector<Index> sets = randomSets();
  const std::vector<Index> order = orderOf(clusters(sets));
  std::vector<Index> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Index> all(static_cast<std::size_t>(kQueries));
  std::iota(all.begin(), all.end(), Index{0});
  REQUIRE(sorted == all);
  Index changes = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    changes +=
        sets[static_cast<std::size_t>(order[k])] != sets[static_cast<std::size_t>(order[k - 1])]
            ? 1
            : 0;
  CHECK(changes == kSets - 1);
}

TEST_CASE("queries keep their order where neighbours share keys or no queries do") {
  CHECK(orderOf(*prepare(Causal{}, squareLengths(kQueries))).empty());
  CHECK(orderOf(*prepare(patternNamed("strided"), squareLengths(kQueries))).empty());
  CHECK(orderOf(*prepare(patternNamed("bigbird"), squareLengths(kQueries))).empty());
  RowTable table;
  Dice dice(8);
  for (Index i = 0; i < kQueries; ++i) {
    std::vector<KeyRun> runs;
    for (Index j = dice.within(0, 40); j < kQueries; j += dice.within(2, 60))
      runs.push_back({j, j + 1, false});
    table.appendGroup(i + 1, runs);
  }
  CHECK(orderOf({squareLengths(kQueries),
                 {{"edges", "edges", std::make_shared<const RowTable>(std::move(table))}}})
            .empty());
}

TEST_CASE("attention over scattered clusters agrees with the plain twin at any number of threads") {
  const Prepared pattern = clusters(randomSets());
  const RandomQkv<float> in(kQueries, kQueries, 6, 4, 3);
  const Matrix<double> q = widened(in.q);
  const Matrix<double> k = widened(in.k);
  const Matrix<double> v = widened(in.v);
  const auto plain = attendReference(pattern, q.view(), k.view(), v.view());
  AttendOptions options;
  options.threads = 1;
  const auto one = attend(pattern, in.qView(), in.kView(), in.vView(), options);
  for (Index i = 0; i < kQueries; ++i)
    for (Index c = 0; c < 4; ++c)
      REQUIRE(static_cast<double>(one.out(i, c)) == Approx(plain.out(i, c)).margin(1e-5));
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    CHECK(attend(pattern, in.qView(), in.kView(), in.vView(), options).out == one.out);
  }
}
