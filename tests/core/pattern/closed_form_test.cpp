// The closed forms of S4 as the specification prints them, at lengths too large for any mask.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"

#include <set>

using namespace attention;

namespace {

Index side(Index n, Index x, Index r) {
  const Index whole = std::min(x, n - 1) / r;
  return whole * n - r * triangle(whole);
}

// C(n, a, b, r) of S4.
Index comb(Index n, Index a, Index b, Index r) {
  return n + side(n, a, r) + side(n, b, r);
}

Index pairsOf(const Pattern& pattern, Index n) {
  const auto p = prepare(pattern, squareLengths(n));
  REQUIRE(p->closedForm());
  return p->pairs();
}

std::set<Index> randomSet(Dice& dice, Index size, Index below) {
  std::set<Index> values;
  for (Index k = 0; k < size; ++k)
    values.insert(dice.within(0, below - 1));
  return values;
}

IndexList listOf(const std::set<Index>& values) {
  return std::vector<Index>(values.begin(), values.end());
}

} // namespace

TEST_CASE("Windows have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(0, 50)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index a = dice.within(0, n + 5);
  const Index b = dice.within(0, n + 5);
  const Index r = dice.within(1, 300);
  CHECK(pairsOf(Causal{}, n) == triangle(n));
  CHECK(pairsOf(Full{}, n) == n * n);
  CHECK(pairsOf(Local{a, true}, n) == (a == 0 ? 0 : comb(n, a - 1, 0, 1)));
  CHECK(pairsOf(Local{a, true, Local::Count::Previous}, n) == comb(n, a, 0, 1));
  if (a > 0)
    CHECK(pairsOf(Local{a}, n) == comb(n, a / 2, (a - 1) / 2, 1));
  CHECK(pairsOf(Local{a, false, Local::Count::Inclusive, Local::Edge::Shift}, n) ==
        n * std::min(a, n));
  CHECK(pairsOf(SlidingWindow{a, b}, n) == comb(n, a, b, 1));
  CHECK(pairsOf(Dilated{a, b, r}, n) == comb(n, a * r, b * r, r));
  CHECK(pairsOf(Dilated{a, b, r, Dilated::Unit::Tokens}, n) == comb(n, a, b, r));
}

TEST_CASE("Factorized patterns have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(100, 150)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index l = dice.within(1, n + 3);
  const Index q = n / l;
  const Index r = n % l;
  const Index first = comb(n, l, 0, 1);
  const Index second = l * triangle(q) + r * (q + 1);
  const Index both = n + std::max<Index>(n - l, 0);
  CHECK(pairsOf(Strided{l, Factor::First}, n) == first);
  CHECK(pairsOf(Strided{l, Factor::Second}, n) == second);
  CHECK(pairsOf(Strided{l}, n) == first + second - both);
  const Index c = dice.within(1, l);
  const Index lo = l - c;
  const Index rest = std::clamp<Index>(r - lo, 0, c);
  const Index blocks = q * triangle(l) + triangle(r);
  const Index inside =
      q * (c * l - (c * lo + c * (c - 1) / 2)) + rest * r - (rest * lo + rest * (rest - 1) / 2);
  const Index unionPairs = pairsOf(Fixed{l, c}, n);
  CHECK(pairsOf(Fixed{l, c, 0, Factor::First}, n) == blocks);
  CHECK(unionPairs == blocks + pairsOf(Fixed{l, c, 0, Factor::Second}, n) - inside);
}

TEST_CASE("Sinks, prefixes and rings have the pairs that their closed forms give",
          "[closed-form]") {
  Dice dice(GENERATE(range(200, 250)));
  const Index n = dice.within(1, Index{1} << 24);
  const Index s = dice.within(0, n + 2);
  const Index w = dice.within(0, n + 2);
  const Index k = std::min(n, s + w);
  CHECK(pairsOf(Sinks{s, w}, n) == triangle(k) + (n - k) * (s + w));
  CHECK(pairsOf(PrefixLm{s}, n) == triangle(n) + triangle(std::min(s, n) - 1));
  Graph ring;
  ring.kind = Graph::Kind::Ring;
  ring.k = s / 2;
  CHECK(pairsOf(ring, n) == n * std::min(n, 2 * ring.k + 1));
  Graph grid;
  grid.kind = Graph::Kind::Grid;
  grid.rows = dice.within(1, 5000);
  grid.cols = dice.within(1, 5000);
  const Index rows = *grid.rows;
  const Index cols = *grid.cols;
  CHECK(pairsOf(grid, rows * cols) == rows * cols + 2 * (rows * (cols - 1) + cols * (rows - 1)));
}

TEST_CASE("Lists of lines have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(300, 330)));
  const Index n = dice.within(50, 100000);
  const auto columns = randomSet(dice, dice.within(0, 60), n);
  const auto offsets = randomSet(dice, dice.within(0, 60), n + 10);
  Index pairs = 0;
  for (const Index v : columns)
    pairs += n - v;
  for (const Index o : offsets)
    pairs += std::max<Index>(n - o, 0);
  for (const Index v : columns)
    for (const Index o : offsets)
      pairs -= v + o < n ? 1 : 0;
  CHECK(pairsOf(VerticalSlash{listOf(columns), listOf(offsets)}, n) == pairs);

  const Index g = static_cast<Index>(columns.size());
  const Index r = dice.within(1, 3);
  const Index reach = dice.within(0, 20) * r;
  Index expected = comb(n, reach, reach, r) + 2 * g * n - g * g;
  for (const Index x : columns) {
    expected -= 2 * (1 + std::min(reach, x) / r + std::min(reach, n - 1 - x) / r);
    for (const Index y : columns)
      expected += std::abs(x - y) <= reach && (x - y) % r == 0 ? 1 : 0;
  }
  CHECK(pairsOf(Longformer{2 * reach / r, listOf(columns), r}, n) == expected);
}

TEST_CASE("Documents and blocks have the pairs that their closed forms give", "[closed-form]") {
  Dice dice(GENERATE(range(400, 430)));
  std::vector<Index> lengths;
  Index n = 0;
  Index causal = 0;
  Index full = 0;
  for (Index k = dice.within(1, 3000); k > 0; --k) {
    lengths.push_back(dice.within(k == 1 ? 1 : 0, 4000));
    n += lengths.back();
    causal += triangle(lengths.back());
    full += lengths.back() * lengths.back();
  }
  Document document;
  document.lengths = IndexList(lengths);
  CHECK(pairsOf(document, n) == causal);
  document.causal = false;
  CHECK(pairsOf(document, n) == full);
  const Index b = dice.within(1, n);
  CHECK(pairsOf(BlockLocal{b}, n) == n / b * b * b + (n % b) * (n % b));
}

TEST_CASE("Summary columns have the pairs that their closed form gives", "[closed-form]") {
  Dice dice(900 + GENERATE(range(0, 50)));
  const Index n = dice.within(1, Index{1} << 22);
  const Index l = dice.within(1, std::min<Index>(n + 3, 5000));
  const Index c = dice.within(1, l);
  const Index h = dice.within(0, l / c - 1);
  const Index lo = l - (h + 1) * c;
  const Index k = n / l;
  const Index partial = std::clamp<Index>(n % l - lo, 0, c);
  // |A²| = n N − S with the count N and the sum S of the summary columns below n (S4.8, S12).
  const Index columns = k * c + partial;
  const Index inBlock = c * lo + c * (c - 1) / 2; // their residues, summed
  const Index sum = c * l * (k * (k - 1) / 2) + k * inBlock + partial * (k * l + lo) +
                    partial * (partial - 1) / 2;
  CHECK(pairsOf(Fixed{l, c, h, Factor::Second}, n) == n * columns - sum);
}

TEST_CASE("Long patterns are the sum of their tiles", "[closed-form]") {
  const auto mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  Dice dice(700 + mechanism);
  Pattern pattern = allMechanisms()[static_cast<std::size_t>(mechanism)];
  // A formula has no closed form: it is summed cell by cell, at small lengths.
  const bool formula = pattern.is<Expr>();
  const Index n = formula ? 500 : Index{1} << 20;
  if (auto* prefix = pattern.as<PrefixLm>())
    prefix->prefix = 12345;
  if (auto* document = pattern.as<Document>())
    document->lengths = IndexList(std::vector<Index>(1 << 18, 4));
  if (auto* lines = pattern.as<VerticalSlash>())
    *lines = {listOf(randomSet(dice, 1000, n)), listOf(randomSet(dice, 6000, n))};
  if (auto* longformer = pattern.as<Longformer>())
    longformer->globals = listOf(randomSet(dice, 2000, n));
  if (needsData(pattern)) // counted in content_test.cpp, on data
    return;
  if (auto* compose = pattern.as<Compose>())
    *compose = Compose(Operation::Intersection, {Strided{}, Local{1000, false}});
  if (auto* drawn = pattern.as<Drawn>()) {
    std::vector<IndexPlace> cells;
    for (const Index i : randomSet(dice, 3000, n))
      cells.push_back({i, dice.within(0, n - 1)});
    *drawn = {Strided{},
              {{true, Stroke::Shape::Cells, cells},
               {false, Stroke::Shape::Column, {{n / 3}}, n / 8, true}}};
  }
  if (auto* given = pattern.as<Given>()) {
    std::vector<IndexPair> cells;
    for (const Index i : randomSet(dice, 3000, n))
      cells.emplace_back(i, dice.within(0, n - 1));
    given->mask = MaskSource{"", n, n, cells, {}};
  }
  if (auto* expr = pattern.as<Expr>())
    expr->expr = "j <= i && (i - j) % 7 < 3";
  INFO(shortText(pattern));
  const auto p = prepare(pattern, squareLengths(n));
  REQUIRE(p->closedForm() != formula);
  const Index tiles = 8;
  Index sum = 0;
  for (Index a = 0; a < tiles; ++a)
    for (Index b = 0; b < tiles; ++b)
      sum += p->count({n * a / tiles, n * (a + 1) / tiles, n * b / tiles, n * (b + 1) / tiles});
  CHECK(sum == p->pairs());
  KeyRanges ranges;
  for (int k = 0; k < 20; ++k) {
    const Index i = dice.within(0, n - 1);
    p->row(i, ranges);
    Index keys = 0;
    for (const KeyRange& range : ranges)
      keys += count(range);
    CHECK(p->rowCount(i, 0, n) == keys);
    const Index j = dice.within(0, n - 1);
    CHECK(p->rowCount(i, j, j + 1) == (p->contains(i, j) ? 1 : 0));
  }
}
