#include "core/pattern/coverage.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>

using namespace attention;

TEST_CASE("Pixels of every mechanism hold the pairs of their cells by first part", "[coverage]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(std::variant_size_v<Mechanism>)));
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

TEST_CASE("Pictures evaluate formulas in the cells that they show alone", "[coverage]") {
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
  // A third of every pixel's rows, to one of the rows that are looked at: every second, 2 keys
  // each.
  const double third = 2.0 * static_cast<double>(kMostExactRows) / 4 * 2 / 3;
  REQUIRE(coverage.counts.size() == 1);
  for (const Index count : coverage.counts.front())
    CHECK(std::abs(static_cast<double>(count) - third) <= 4);
}
