// Rows as maximal runs, and the same cells written out.
#include "core/pattern/row_runs.h"
#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"

#include <random>
#include <set>

using namespace attention;

namespace {

Runs runsOf(const std::set<Index>& keys) {
  Runs runs;
  for (const Index key : keys)
    runs.emplace_back(key, key + 1);
  join(runs);
  return runs;
}

std::set<Index> someKeys(std::mt19937& random) {
  std::set<Index> keys;
  for (Index key = 0; key < 20; ++key)
    if (random() % 2 == 0)
      keys.insert(key);
  return keys;
}

} // namespace

TEST_CASE("runs are sets of keys", "[runs]") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::set<Index> a = someKeys(random);
    const std::set<Index> b = someKeys(random);
    std::set<Index> both;
    std::set<Index> either = a;
    std::set<Index> one;
    either.insert(b.begin(), b.end());
    for (const Index key : either)
      (a.count(key) + b.count(key) == 2 ? both : one).insert(key);
    CHECK(bothOf(runsOf(a), runsOf(b)) == runsOf(both));
    CHECK(eitherOf(runsOf(a), runsOf(b)) == runsOf(either));
    CHECK(keysOf(runsOf(a)) == static_cast<Index>(a.size()));
    std::set<Index> different;
    forEachDifference(runsOf(a), runsOf(b), [&](Index begin, Index end) {
      CHECK(begin < end);
      for (Index key = begin; key < end; ++key)
        CHECK(different.insert(key).second);
    });
    CHECK(different == one);
    for (Index key = 0; key < 20; ++key)
      CHECK(contains(runsOf(a), key) == (a.count(key) == 1));
  }
  CHECK(within({{0, 4}, {6, 9}}, 2, 7) == Runs{{2, 4}, {6, 7}});
  CHECK(within({{0, 4}}, 3, 3).empty());
}

TEST_CASE("rows of combs and windows are written as maximal runs", "[runs]") {
  const auto mask = preparedFrom("strided", R"({"stride": 2, "reading": "paper"})", 12);
  KeyRanges ranges;
  Runs runs;
  for (Index i = 0; i < 12; ++i) {
    rowRuns(*mask, i, ranges, runs);
    std::set<Index> keys;
    for (Index j = 0; j < 12; ++j)
      if (mask->contains(i, j))
        keys.insert(j);
    CHECK(runs == runsOf(keys));
  }
}

TEST_CASE("a mask written out has its cells, whatever its alignment was", "[runs]") {
  for (const Align align : {Align::TopLeft, Align::BottomRight}) {
    const auto mask = prepare(patternFrom("causal", "{}"), alignedLengths(150, 200, align));
    const auto written = writtenOut(*mask);
    CHECK(written->lengths().offset == 0);
    CHECK(written->pairs() == mask->pairs());
    for (Index i = 0; i < 150; i += 7)
      for (Index j = 0; j < 200; j += 3)
        CHECK(written->contains(i, j) == mask->contains(i, j));
  }
  const auto failing = preparedFrom("expr", R"({"expr": "1 // (3 - i) == 0"})", 5);
  CHECK(codeOf([&] { writtenOut(*failing); }) == "E_EXPR");
}
