// Row statistics and differences against counting every cell, over the whole family.
#include "core/analysis/difference.h"
#include "core/analysis/row_statistics.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

namespace {

RowStatistics brute(const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  RowStatistics s;
  s.minimum = lengths.keys;
  for (Index i = 0; i < lengths.queries; ++i) {
    Index keys = 0;
    for (Index j = 0; j < lengths.keys; ++j)
      keys += pattern.contains(i, j) ? 1 : 0;
    s.minimum = std::min(s.minimum, keys);
    s.maximum = std::max(s.maximum, keys);
    s.emptyRows += keys == 0 ? 1 : 0;
    s.pairs += keys;
  }
  s.mean = static_cast<double>(s.pairs) / static_cast<double>(lengths.queries);
  return s;
}

Difference bruteDifference(const Prepared& a, const Prepared& b) {
  Difference d;
  for (Index i = 0; i < a.lengths().queries; ++i)
    for (Index j = 0; j < a.lengths().keys; ++j) {
      const bool first = a.contains(i, j);
      const bool second = b.contains(i, j);
      d.both += first && second ? 1 : 0;
      d.onlyFirst += first && !second ? 1 : 0;
      d.onlySecond += second && !first ? 1 : 0;
      if (first != second && !d.firstRow) {
        d.firstRow = i;
        d.firstKey = j;
      }
    }
  const Index all = d.both + d.onlyFirst + d.onlySecond;
  d.iou = all == 0 ? 1 : static_cast<double>(d.both) / static_cast<double>(all);
  return d;
}

// A random pattern of the family that can be prepared.
std::shared_ptr<const Prepared> randomPrepared(Dice& dice, std::size_t mechanism,
                                               const Lengths& lengths, std::string& text) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    const Pattern pattern = randomPattern(dice, mechanism, lengths.keys);
    text = shortText(pattern);
    try {
      return prepare(pattern, lengths, randomData(lengths.keys));
    } catch (const Error&) {
      // random parameters that do not fit together, or a mask that must be square
    }
  }
  return nullptr;
}

// The plain twin: every row is counted.
RowStatistics statisticsOfAllRows(const Prepared& pattern) {
  const Index n = pattern.lengths().queries;
  RowStatistics all;
  all.minimum = pattern.lengths().keys;
  for (Index i = 0; i < n; ++i) {
    const Index keys = pattern.rowCount(i, 0, pattern.lengths().keys);
    all.minimum = std::min(all.minimum, keys);
    all.maximum = std::max(all.maximum, keys);
    all.emptyRows += keys == 0 ? 1 : 0;
    all.pairs += keys;
  }
  all.mean = static_cast<double>(all.pairs) / static_cast<double>(n);
  return all;
}

} // namespace

TEST_CASE("row statistics equal those of the cells over the whole family") {
  const Index n = GENERATE(1, 2, 7, 40, 96, 97);
  Dice dice(static_cast<int>(n) + 1);
  for (std::size_t m = 0; m < allMechanisms().size(); ++m)
    for (int repeat = 0; repeat < 12; ++repeat) {
      std::string text;
      const Lengths lengths =
          repeat < 9 ? squareLengths(n)
                     : alignedLengths(dice.within(1, n + 5), n,
                                      repeat == 9 ? Align::TopLeft : Align::BottomRight);
      const auto pattern = randomPrepared(dice, m, lengths, text);
      INFO(text << ", " << lengths.queries << " × " << lengths.keys);
      if (pattern)
        CHECK(rowStatistics(*pattern) == brute(*pattern));
    }
}

TEST_CASE("row statistics of a long closed form are those of its rows") {
  // Long enough for stretches of many periods.
  const Index n = 5000;
  Strided strided;
  strided.stride = 37;
  Fixed fixed;
  fixed.stride = 32;
  fixed.head = Factor::Second;
  Strided twoSided = strided;
  twoSided.causal = false;
  for (const Pattern& pattern : {Pattern(strided), Pattern(fixed), Pattern(twoSided)}) {
    INFO(shortText(pattern));
    const auto prepared = prepare(pattern, squareLengths(n));
    CHECK(rowStatistics(*prepared) == statisticsOfAllRows(*prepared));
  }
}

TEST_CASE("row statistics of patterns with a short form need few rows however long they are") {
  const Index n = Index{1} << 24;
  RowStatisticsOptions few;
  few.rowBudget = 200000; // of 16 million
  for (const Pattern& pattern : {Pattern(Full{}), Pattern(Causal{}), Pattern(Local{}),
                                 Pattern(Strided{}), Pattern(Fixed{})}) {
    INFO(shortText(pattern));
    CHECK(rowStatistics(*prepare(pattern, squareLengths(n)), few).exact);
  }
  const RowStatistics causal = rowStatistics(*prepare(Causal{}, squareLengths(n)), few);
  CHECK(causal.minimum == 1);
  CHECK(causal.maximum == n);
  CHECK(causal.pairs == triangle(n));
  CHECK(causal.emptyRows == 0);
}

TEST_CASE("row statistics of periods of any length need few rows and are those of all rows") {
  const Index n = 40000;
  RowStatisticsOptions few;
  few.rowBudget = n / 8;
  const bool causal = GENERATE(true, false);
  const Index period = GENERATE(as<Index>{}, 7, 199, 201, 4999, 7001, 39999);
  Strided strided;
  strided.stride = period;
  strided.causal = causal;
  Fixed fixed;
  fixed.stride = period;
  fixed.columns = std::max<Index>(1, period * 2 / 3);
  fixed.causal = causal;
  BlockLocal blocks;
  blocks.blockSize = period;
  blocks.before = 2;
  blocks.causal = causal;
  Dilated dilated;
  dilated.left = n / 2;
  dilated.right = n / 3;
  dilated.dilation = period;
  dilated.causal = causal;
  for (const Pattern& pattern :
       {Pattern(strided), Pattern(fixed), Pattern(blocks), Pattern(dilated)}) {
    INFO(shortText(pattern) << " causal " << causal);
    const auto prepared = prepare(pattern, squareLengths(n));
    CHECK(rowStatistics(*prepared, few) == statisticsOfAllRows(*prepared));
  }
}

TEST_CASE("row statistics of long lists of blocks and of lines need few rows as well") {
  const Index n = Index{1} << 16;
  RowStatisticsOptions few;
  few.rowBudget = n / 8;
  Graph grid;
  grid.kind = Graph::Kind::Grid;
  VerticalSlash lines;
  std::vector<Index> columns;
  std::vector<Index> offsets;
  for (Index k = 0; k < 40; ++k) {
    columns.push_back(k * k * 3);
    offsets.push_back(k * 17 * k + 1);
  }
  lines.vertical = IndexList(columns);
  lines.slash = IndexList(offsets);
  Longformer globals;
  globals.globals = IndexList(columns);
  globals.dilation = 3;
  Document documents;
  documents.lengths = IndexList(std::vector<Index>(1024, n / 1024));
  for (const Pattern& pattern :
       {Pattern(BigBird{}), Pattern(grid), Pattern(lines), Pattern(globals), Pattern(documents)}) {
    INFO(shortText(pattern));
    const auto prepared = prepare(pattern, squareLengths(n));
    const RowStatistics found = rowStatistics(*prepared, few);
    CHECK(found.exact);
    CHECK(found.pairs == prepared->pairs());
    Index least = n;
    Index most = 0;
    for (Index i = 0; i < n; ++i) {
      const Index keys = prepared->rowCount(i, 0, n);
      least = std::min(least, keys);
      most = std::max(most, keys);
    }
    CHECK(found.minimum == least);
    CHECK(found.maximum == most);
  }
}

TEST_CASE(
    "patterns without closed form are counted exactly up to 16 384 tokens and sampled beyond") {
  Expr formula;
  formula.expr = "(i * j) % 7 == 0";
  CHECK(affordableRows(*prepare(formula, squareLengths(16384))) == kMaxLength);
  CHECK(affordableRows(*prepare(formula, squareLengths(32768))) == 8192);
  CHECK(affordableRows(*prepare(formula, squareLengths(Index{1} << 30))) == 16);
  CHECK(affordableRows(*prepare(Strided{}, squareLengths(Index{1} << 30))) == kMaxLength);
}

TEST_CASE("beyond the budget rows are sampled and the result says so") {
  // A difference of combs of two periods: no short form.
  Strided a;
  a.stride = 7;
  Fixed b;
  b.stride = 11;
  Compose compose;
  compose.operation = Operation::Difference;
  compose.of = {Pattern(a), Pattern(b)};
  const auto pattern = prepare(compose, squareLengths(2000));
  REQUIRE_FALSE(pattern->closedForm());
  RowStatisticsOptions budget;
  budget.rowBudget = 100;
  const RowStatistics sampled = rowStatistics(*pattern, budget);
  const RowStatistics exact = rowStatistics(*pattern);
  CHECK_FALSE(sampled.exact);
  CHECK(sampled.sampledRows == 100);
  CHECK(exact.exact);
  CHECK(exact.sampledRows == 0);
  budget.seed = 1;
  CHECK(rowStatistics(*pattern, budget).pairs != sampled.pairs);
  CHECK(exact.pairs == pattern->pairs());
  CHECK(sampled.mean == Approx(exact.mean).epsilon(0.1));
  CHECK(sampled.minimum >= exact.minimum);
  CHECK(sampled.maximum <= exact.maximum);
}

TEST_CASE("differences of two patterns equal those of the cells over the whole family") {
  const Index n = GENERATE(1, 7, 40);
  Dice dice(static_cast<int>(n) + 50);
  const auto mechanisms = static_cast<Index>(allMechanisms().size());
  for (int repeat = 0; repeat < 80; ++repeat) {
    std::string first;
    std::string second;
    const auto draw = [&](std::string& text) {
      const auto m = static_cast<std::size_t>(dice.within(0, mechanisms - 1));
      return randomPrepared(dice, m, squareLengths(n), text);
    };
    const auto a = draw(first);
    const auto b = dice.chance(8) ? a : draw(second);
    INFO(first << " and " << second << " at n = " << n);
    if (a && b)
      CHECK(difference(a, b) == bruteDifference(*a, *b));
  }
}

TEST_CASE("the first row that differs is found without looking at every row") {
  const Index n = Index{1} << 24;
  Local narrow;
  narrow.causal = true;
  narrow.window = 1000000;
  Local wide = narrow;
  wide.window = 1000001;
  const Difference d =
      difference(prepare(narrow, squareLengths(n)), prepare(wide, squareLengths(n)));
  CHECK(d.firstRow == std::optional<Index>(1000000));
  CHECK(d.onlyFirst == 0);
  CHECK(d.onlySecond == n - 1000000);
}

TEST_CASE("patterns of different lengths have no difference") {
  CHECK_THROWS_AS(difference(prepare(Full{}, squareLengths(4)), prepare(Full{}, squareLengths(5))),
                  Error);
}

TEST_CASE("row statistics and differences stop when asked", "[threads]") {
  std::stop_source source;
  source.request_stop();
  Run run;
  run.stop = source.get_token();
  const auto full = prepare(Full{}, squareLengths(100));
  RowStatisticsOptions options;
  options.threads = 2;
  CHECK_THROWS_AS(rowStatistics(*full, options, run), Stopped);
}

TEST_CASE("row statistics are the same at any number of threads", "[threads]") {
  const auto pattern = prepare(Strided{}, squareLengths(20000));
  RowStatisticsOptions options;
  options.threads = 1;
  const RowStatistics one = rowStatistics(*pattern, options);
  options.threads = 3;
  CHECK(rowStatistics(*pattern, options) == one);
}
