// Masks with n_q ≠ n_k (S4.20): a query stands for a token of the square mask over n_k.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

TEST_CASE("Queries of a rectangular mask have the rows of the tokens that they stand for",
          "[rectangular]") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(3000 + 100 * mechanism + GENERATE(range(0, 12)));
  const Index keys = dice.within(1, 25);
  Index queries = dice.within(1, 30);
  const Align align = dice.chance(2) ? Align::TopLeft : Align::BottomRight;
  const auto index = static_cast<std::size_t>(mechanism);
  const Pattern pattern = randomPattern(dice, index, keys, isMadeOfOthers(index) ? 2 : 0);
  const bool squareOnly = pattern.is<GivenMask>() || pattern.is<Cluster>() || needsData(pattern) ||
                          !mayBeRectangular(pattern);
  if (squareOnly)
    return;
  if (hasLayout(pattern)) {
    const auto beyond = [&] { prepare(pattern, alignedLengths(keys + 1, keys, align)); };
    CHECK(codeOf(beyond) == "E_SHAPE");
    queries = std::min(queries, keys);
  }
  INFO(shortText(pattern) << ", " << queries << " x " << keys);
  const auto square = prepare(pattern, squareLengths(keys));
  const auto p = prepare(pattern, alignedLengths(queries, keys, align));
  const Index offset = align == Align::TopLeft ? 0 : keys - queries;
  Index pairs = 0;
  KeyRanges ranges;
  for (Index i = 0; i < queries; ++i) {
    const Index token = i + offset;
    p->row(i, ranges);
    Index rowPairs = 0;
    for (Index j = 0; j < keys; ++j) {
      const bool in = p->contains(i, j);
      if (token < keys)
        REQUIRE(in == (token >= 0 && square->contains(token, j)));
      rowPairs += in ? 1 : 0;
      int holding = 0;
      for (const KeyRange& range : ranges)
        holding += contains(range, j) ? 1 : 0;
      REQUIRE(holding == (in ? 1 : 0));
      REQUIRE(p->why(i, j).attends == in);
    }
    REQUIRE(p->rowCount(i, 0, keys) == rowPairs);
    pairs += rowPairs;
  }
  CHECK(p->pairs() == pairs);
  for (int k = 0; k < 10; ++k) {
    const Rect rect = dice.rect(queries, keys);
    Index cells = 0;
    for (Index i = rect.rowBegin; i < rect.rowEnd; ++i)
      for (Index j = rect.keyBegin; j < rect.keyEnd; ++j)
        cells += p->contains(i, j) ? 1 : 0;
    CHECK(p->count(rect) == cells);
  }
}

TEST_CASE("Queries beyond the keys follow the formulas", "[rectangular]") {
  const Lengths lengths = alignedLengths(40, 10, Align::TopLeft);
  const auto check = [&](const Pattern& pattern, auto in) {
    INFO(shortText(pattern));
    const auto p = prepare(pattern, lengths);
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 10; ++j)
        CHECK(p->contains(i, j) == in(i, j));
  };
  check(Local{4, true}, [](Index i, Index j) { return j <= i && i - j < 4; });
  check(SlidingWindow{-1, 0}, [](Index i, Index j) { return j <= i; });
  check(BlockLocal{4, 1, 0, false, true},
        [](Index i, Index j) { return j / 4 == i / 4 % 3 || j / 4 == (i / 4 + 2) % 3; });
  check(Local{3, false, Local::Count::Inclusive, Local::Edge::Shift}, [](Index i, Index j) {
    return i >= 9 ? j >= 7 : i == 0 ? j < 3 : std::abs(i - j) <= 1;
  });
  check(Longformer{2, IndexList{3}},
        [](Index i, Index j) { return i == 3 || j == 3 || std::abs(i - j) <= 1; });
  check(Sinks{2, 3}, [](Index i, Index j) { return j <= i && (j < 2 || i - j < 3); });
  Graph ring;
  ring.kind = Graph::Kind::Ring;
  check(ring, [](Index i, Index j) {
    return i < 10 && (i == j || (i + 1) % 10 == j || (j + 1) % 10 == i);
  });
}

TEST_CASE("Masks that wrap many rounds are evaluated cell by cell", "[rectangular]") {
  const auto p = prepare(BlockLocal{1, 1, 0, false, true}, alignedLengths(1000, 4, Align::TopLeft));
  CHECK_FALSE(p->closedForm());
  for (Index i = 0; i < 1000; ++i)
    for (Index j = 0; j < 4; ++j)
      REQUIRE(p->contains(i, j) == (j == i % 4 || j == (i + 3) % 4));
  CHECK(p->pairs() == 2000);
}

TEST_CASE("The outermost cells of a given mask allow the same lengths as all of them",
          "[rectangular]") {
  const auto fits = [](const MaskSource& mask, Index rows, Index cols) {
    try {
      checkLengths(GivenMask{mask}, alignedLengths(rows, cols, Align::TopLeft));
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  Dice dice(GENERATE(range(0, 20)));
  MaskSource mask;
  std::vector<IndexPair> cells;
  for (Index count = dice.within(0, 12); count > 0; --count)
    cells.emplace_back(dice.within(-dice.within(0, 1), 6), dice.within(0, 6));
  mask.pairs = PairList(cells);
  mask.pairsOrRows = dice.chance(4);
  const MaskSource outermost = outermostCells(mask);
  CHECK((mask.pairsOrRows || outermost.pairs.size() <= 4));
  for (Index rows = 1; rows <= 8; ++rows)
    for (Index cols = 1; cols <= 8; ++cols)
      CHECK(fits(outermost, rows, cols) == fits(mask, rows, cols));
}

TEST_CASE("Given masks are taken query by query", "[rectangular]") {
  GivenMask given;
  given.mask = MaskSource{"", 2, 5, PairList{{0, 4}, {1, 0}}, {}};
  const auto p = prepare(given, alignedLengths(2, 5, Align::BottomRight));
  CHECK(p->contains(0, 4));
  CHECK(p->contains(1, 0));
  CHECK(p->pairs() == 2);
  const auto code = [&](Index queries, Index keys, Align align) {
    return codeOf([&] { prepare(given, alignedLengths(queries, keys, align)); });
  };
  CHECK(code(5, 2, Align::TopLeft) == "E_SHAPE");
  CHECK(code(5, 2, Align::BottomRight) == "E_UNSUPPORTED");
  given.mask = MaskSource{"mask.npy", 0, 0, {}, {}};
  CHECK(code(2, 5, Align::TopLeft) == "E_TYPE");
  given.mask.reset();
  CHECK(code(2, 5, Align::TopLeft) == "E_TYPE");
}
