#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/expr.h"
#include "core/pattern/sampled_rows.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>

using namespace attention;

TEST_CASE("Pixels of every mechanism count the pairs of their cells by first part", "[coverage]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(5000 + 100 * mechanism + GENERATE(range(0, 12)));
  const Index n = dice.within(1, 40);
  const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
  INFO(shortText(pattern) << ", n = " << n);
  const auto p = prepare(pattern, squareLengths(n), randomData(n));
  const Lattice lattice = latticeOver(dice.rect(n, n), dice.within(1, 9), dice.within(1, 50));
  const Coverage coverage = computeCoverage(*p, lattice, {}, 2);
  REQUIRE(coverage.exact);
  std::vector<std::vector<Index>> slow(coverage.counts.size(),
                                       std::vector<Index>(coverage.counts.front().size()));
  for (Index a = 0; a < coverage.rows; ++a)
    for (Index b = 0; b < coverage.cols; ++b)
      for (Index i = lattice.rowEdges[static_cast<std::size_t>(a)];
           i < lattice.rowEdges[static_cast<std::size_t>(a) + 1]; ++i)
        for (Index j = lattice.keyEdges[static_cast<std::size_t>(b)];
             j < lattice.keyEdges[static_cast<std::size_t>(b) + 1]; ++j)
          if (const int part = p->why(i, j).part; part >= 0)
            ++slow[slow.size() == 1 ? 0 : static_cast<std::size_t>(part)]
                  [static_cast<std::size_t>(a * coverage.cols + b)];
  CHECK(coverage.counts == slow);
}

TEST_CASE("Pictures evaluate formulas only in the cells that they show", "[coverage]") {
  Expr formula;
  formula.expr = "100 // (j - 60000) != 0"; // no value at j = 60000
  const auto pattern = prepare(formula, squareLengths(65536));
  const Lattice corner = latticeOver({0, 64, 0, 64}, 8, 8);
  CHECK(computeCoverage(*pattern, corner).total(0, 0) == 64);
  CHECK_THROWS_AS(computeCoverage(*pattern, latticeOver({0, 1, 59999, 60001}, 1, 1)), Error);
  KeyRanges ranges;
  pattern->row(3, {59000, 60000}, ranges);
  CHECK(ranges == KeyRanges{{59000, 60000, 1, 1}});
}

TEST_CASE("Long formulas are sampled and say so", "[coverage]") {
  const Lengths lengths = squareLengths(2 * kMostExactRows);
  const Prepared asked(lengths, {{"cells", "third",
                                  AskedCells{[](Index i, Index) { return i % 3 == 0; },
                                             [](Index, Index) { return "third"; }}}});
  const Coverage coverage =
      computeCoverage(asked, latticeOver({0, 2 * kMostExactRows, 0, 8}, 4, 4));
  CHECK_FALSE(coverage.exact);
  // A third of every pixel's 8192 rows, 2 keys each. Of its 4096 stretches of two rows two thirds
  // hold one such row: a deviation of √(4096 · 2/3) / 2 rows, each standing for 4 cells.
  const double third = 2.0 * static_cast<double>(kMostExactRows) / 4 * 2 / 3;
  const double deviation = std::sqrt(4096 * 2.0 / 3) / 2 * 4;
  REQUIRE(coverage.counts.size() == 1);
  for (const Index count : coverage.counts.front())
    CHECK(std::abs(static_cast<double>(count) - third) <= 5 * deviation);
}

TEST_CASE("Sampled rows do not fall in step with a stride", "[coverage]") {
  const Index n = 4 * kMostExactRows;
  for (const Index stride : {2, 4, 8}) {
    const Prepared asked(squareLengths(n),
                         {{"cells", "every",
                           AskedCells{[stride](Index i, Index) { return i % stride == 0; },
                                      [](Index, Index) { return "every"; }}}});
    const Coverage coverage = computeCoverage(asked, latticeOver({0, n, 0, 1}, 1, 1));
    CHECK_FALSE(coverage.exact);
    // Binomial at most: 16384 rows, each standing for 4.
    const double share = 1.0 / static_cast<double>(stride);
    const double deviation = 4 * std::sqrt(16384 * share * (1 - share));
    CHECK(std::abs(static_cast<double>(coverage.counts[0][0]) - share * static_cast<double>(n)) <=
          5 * deviation);
  }
}

TEST_CASE("Each stretch gives one of its rows to the sample", "[coverage]") {
  for (const Index stretches : {1, 3, 7, 10}) {
    for (Index k = 0; k < stretches; ++k) {
      const Index row = sampledRow(5, 15, stretches, k);
      CHECK(row >= 5 + 10 * k / stretches);
      CHECK(row < 5 + 10 * (k + 1) / stretches);
      CHECK(row == sampledRow(5, 15, stretches, k, 0));
    }
  }
  int others = 0;
  for (Index k = 0; k < 50; ++k)
    others += sampledRow(0, 5000, 50, k, 1) != sampledRow(0, 5000, 50, k, 2) ? 1 : 0;
  CHECK(others > 40);
}
