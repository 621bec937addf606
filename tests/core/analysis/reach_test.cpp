// Receptive fields against the boolean power, over the whole family.
#include "core/analysis/reach/range_unions.h"
#include "core/analysis/reach/reach.h"
#include "core/analysis/reach/token_reach.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/analysis/reach_power.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <set>

using namespace attention;

namespace {

const int kMechanisms = static_cast<int>(allMechanisms().size());

LayerStack randomStack(Dice& dice, std::size_t mechanism, Index n) {
  LayerStack stack;
  for (Index k = dice.within(1, 2); k > 0; --k) {
    stack.patterns.push_back(
        prepare(randomPattern(dice, mechanism, n), squareLengths(n), randomData(n)));
    mechanism = static_cast<std::size_t>(dice.within(0, kMechanisms - 1));
  }
  stack.residual = dice.chance(2);
  return stack;
}

bool equal(const BitMatrix& got, const Cells2d& cells) {
  for (Index i = 0; i < got.rows(); ++i)
    for (Index j = 0; j < got.cols(); ++j)
      if (got(i, j) != cells[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)])
        return false;
  return true;
}

Index cellsIn(const Cells2d& cells) {
  Index sum = 0;
  for (const auto& row : cells)
    sum += std::count(row.begin(), row.end(), true);
  return sum;
}

std::shared_ptr<const Prepared> prepared(const Pattern& pattern, Index n) {
  return prepare(pattern, squareLengths(n));
}

// Hops by definition, for as many layers as can matter.
std::vector<std::vector<Index>> hopsByPower(const LayerStack& stack) {
  const auto n = static_cast<std::size_t>(stack.n());
  std::vector<std::vector<Index>> hops(n, std::vector<Index>(n, -1));
  const auto record = [&](const Cells2d& reach, Index t) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (reach[i][j] && hops[i][j] < 0)
          hops[i][j] = t;
  };
  Cells2d reach = identityCells(n);
  if (stack.residual)
    record(reach, 0);
  const Index most = stack.n() * static_cast<Index>(stack.patterns.size()) + 1;
  for (Index t = 1; t <= most; ++t) {
    Cells2d mask = cellsOf(stack.pattern(t));
    for (std::size_t i = 0; stack.residual && i < n; ++i)
      mask[i][i] = true;
    reach = booleanProduct(mask, reach);
    record(reach, t);
  }
  return hops;
}

// Whether the path is one of the stack's, from the top down.
bool isPath(const LayerStack& stack, const std::vector<Index>& path) {
  const auto layers = static_cast<Index>(path.size()) - 1;
  for (Index s = 0; s < layers; ++s) {
    const Index from = path[static_cast<std::size_t>(s)];
    const Index to = path[static_cast<std::size_t>(s + 1)];
    const bool carried = stack.residual && from == to;
    if (!carried && !stack.pattern(layers - s).contains(from, to))
      return false;
  }
  return true;
}

} // namespace

TEST_CASE("reach equals the boolean power for every mechanism", "[reach]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  const int seed = GENERATE(range(0, 12));
  Dice dice(5000 * mechanism + seed);
  const Index n = dice.within(1, 33);
  const LayerStack stack = randomStack(dice, static_cast<std::size_t>(mechanism), n);
  const Index layers = dice.within(0, 5);
  const ReceptiveField field = receptiveField(stack, layers, 1);
  REQUIRE(equal(field.reach, booleanPower(stack, layers)));
  REQUIRE(static_cast<Index>(field.layers.size()) == layers);
  for (const LayerReach& layer : field.layers) {
    const Cells2d cells = booleanPower(stack, layer.layer);
    Index causal = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
      causal += std::count(cells[i].begin(), cells[i].begin() + static_cast<int>(i) + 1, true);
    CHECK(layer.pairs == cellsIn(cells));
    CHECK(layer.causalPairs == causal);
    CHECK(layer.ofFull == Approx(static_cast<double>(layer.pairs) / static_cast<double>(n * n)));
    CHECK(layer.ofCausal == Approx(static_cast<double>(causal) / static_cast<double>(triangle(n))));
  }
}

TEST_CASE("hops and the longest path equal those of the boolean powers", "[reach]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  const int seed = GENERATE(range(0, 6));
  Dice dice(7000 * mechanism + seed);
  const Index n = dice.within(1, 14);
  const LayerStack stack = randomStack(dice, static_cast<std::size_t>(mechanism), n);
  const auto expected = hopsByPower(stack);
  const HopMatrix hops = hopMatrix(stack, 1);
  Index longest = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Index least = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      REQUIRE(hops(i, j) == least);
      longest = std::max(longest, least);
      const auto path = shortestPath(stack, i, j, 3 * n, 1);
      REQUIRE(path.has_value() == (least >= 0));
      if (path) {
        CHECK(path->front() == i);
        CHECK(path->back() == j);
        CHECK(static_cast<Index>(path->size()) == least + 1);
        CHECK(isPath(stack, *path));
      }
      if (least > 0)
        CHECK_FALSE(shortestPath(stack, i, j, least - 1, 1));
    }
  CHECK(maximumPath(stack, 1) == longest);
}

TEST_CASE("a path through all layers exists exactly where they reach", "[reach]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  const int seed = GENERATE(range(0, 4));
  Dice dice(11000 * mechanism + seed);
  const Index n = dice.within(1, 14);
  const LayerStack stack = randomStack(dice, static_cast<std::size_t>(mechanism), n);
  const Index layers = dice.within(0, 5);
  const Cells2d reach = booleanPower(stack, layers);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const auto path = pathThrough(stack, i, j, layers, 1);
      REQUIRE(path.has_value() == reach[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      if (!path)
        continue;
      CHECK(path->front() == i);
      CHECK(path->back() == j);
      CHECK(static_cast<Index>(path->size()) == layers + 1);
      CHECK(isPath(stack, *path));
    }
}

TEST_CASE("what a token sees is its row of the reach, what sees it is its column", "[reach]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  Dice dice(9000 + mechanism);
  const Index n = dice.within(1, 90);
  const LayerStack stack = randomStack(dice, static_cast<std::size_t>(mechanism), n);
  const Index layers = dice.within(0, 4);
  const BitMatrix reach = receptiveField(stack, layers, 1).reach;
  for (Index token = 0; token < n; ++token) {
    const TokenSet keys = influencing(stack, token, layers);
    const TokenSet queries = influenced(stack, token, layers, 1);
    for (Index other = 0; other < n; ++other) {
      REQUIRE(bitAt(keys, other) == reach(token, other));
      REQUIRE(bitAt(queries, other) == reach(other, token));
    }
  }
}

TEST_CASE("what a token sees through each number of layers is what that number gives by itself",
          "[reach]") {
  const int mechanism = GENERATE(range(0, kMechanisms));
  Dice dice(9500 + mechanism);
  const Index n = dice.within(1, 60);
  const LayerStack stack = randomStack(dice, static_cast<std::size_t>(mechanism), n);
  const Index layers = dice.within(0, 7);
  const Index token = dice.within(0, n - 1);
  Index down = 0;
  eachInfluencing(stack, token, layers, [&](Index t, const TokenSet& set) {
    CHECK(set == influencing(stack, token, t));
    ++down;
  });
  CHECK(down == layers);
  Index up = 0;
  eachInfluenced(
      stack, token, layers,
      [&](Index t, const TokenSet& set) {
        CHECK(t == ++up);
        CHECK(set == influenced(stack, token, t, 1));
      },
      1);
  CHECK(up == layers);
}

TEST_CASE("long ranges and combs are joined like single rows", "[reach][threads]") {
  const Index n = 700; // beyond a block of rows, a line of words, and a period of every comb here
  const auto text = GENERATE(Pattern(SlidingWindow{100, 37}), Pattern(Strided{}),
                             Pattern(Dilated{40, 11, 7}), Pattern(Fixed{64, 9, 1}),
                             Pattern(Fixed{48, 5, 0, Factor::Second}), Pattern(BlockLocal{90}),
                             Pattern(Fixed{64, 9, 0, Factor::Second, Fixed::Reading::Inclusive,
                                           Fixed::Tail::Formula, false}),
                             Pattern(Compose(Operation::Complement, {SlidingWindow{3, 3}})));
  const auto upper = prepared(text, n);
  const auto lower = prepared(Dilated{5, 3, 61}, n);
  const bool residual = GENERATE(true, false);
  const ReceptiveField below = receptiveField({{lower}, residual}, 1, 1);
  const LayerStack stack{{lower, upper}, residual};
  const ReceptiveField one = receptiveField(stack, 2, 1);
  for (Index i = 0; i < n; ++i) {
    std::vector<BitWord> row(static_cast<std::size_t>(below.reach.wordsPerRow()));
    for (Index a = 0; a < n; ++a)
      if (upper->contains(i, a) || (residual && a == i))
        for (std::size_t w = 0; w < row.size(); ++w)
          row[w] |= below.reach.row(a)[w];
    REQUIRE(std::equal(row.begin(), row.end(), one.reach.row(i).begin()));
  }
  for (const int threads : {2, 5}) {
    const ReceptiveField many = receptiveField(stack, 2, threads);
    CHECK(many.reach == one.reach);
    CHECK(many.layers == one.layers);
  }
}

// A matrix of random bits, about one in sixteen.
BitMatrix randomBits(Dice& dice, Index n) {
  BitMatrix bits(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < n / 16; ++c) {
      const Index j = dice.within(0, n - 1);
      setBits(bits.row(i), j, j + 1);
    }
  return bits;
}

TEST_CASE("unions of ranges are those of their rows, even if longer than expected",
          "[reach][threads]") {
  const Index n = GENERATE(1, 15, 16, 33, 300);
  const Index period = GENERATE(1, 5, 40);
  const Index width = period == 40 ? 3 : 1;
  const Index longest = GENERATE(1, 40, 300);
  Dice dice(static_cast<int>(n + period + longest));
  const BitMatrix below = randomBits(dice, n);
  const RangeUnions unions(below, period, width, longest, 2, {});
  for (int turn = 0; turn < 40; ++turn) {
    const Index begin = dice.within(0, n - 1);
    const KeyRange range{begin, dice.within(begin + 1, n), period, width};
    std::vector<const BitWord*> rows;
    unions.append(range, rows);
    std::vector<BitWord> got(static_cast<std::size_t>(below.wordsPerRow()));
    for (const BitWord* row : rows)
      for (std::size_t w = 0; w < got.size(); ++w)
        got[w] |= row[w];
    std::vector<BitWord> expected(got.size());
    forEachRun(range, [&](Index first, Index last) {
      if (last - first < width)
        return; // a cut run is left out
      for (Index a = first; a < last; ++a)
        for (std::size_t w = 0; w < expected.size(); ++w)
          expected[w] |= below.row(a)[w];
    });
    REQUIRE(got == expected);
  }
}

TEST_CASE("the rows that unions make are counted level by level", "[reach]") {
  // From the starts and to the ends of blocks, then pairs and groups of four blocks.
  CHECK(RangeUnions::rowsMade(64, 1, 1, 15) == 2 * 64);
  CHECK(RangeUnions::rowsMade(64, 1, 1, 64) == 2 * 64 + 2 * 4);
  CHECK(RangeUnions::rowsMade(64, 8, 1, 8) == 2 * 64);
  // Runs of 32 rows joined from their own unions.
  CHECK(RangeUnions::rowsMade(64, 40, 32, 2) == 2 * 64 + 64 + 2 * 64 + 4);
}

TEST_CASE("layers above a reach that no longer grows repeat it", "[reach]") {
  const Index n = 90;
  const auto window = prepared(SlidingWindow{20, 0}, n);
  const auto none = prepared(SlidingWindow{0, 0}, n);
  Strided strided;
  strided.stride = 9;
  for (const auto& patterns : {std::vector{prepared(strided, n)}, std::vector{prepared(Full{}, n)},
                               std::vector{none, window}, std::vector{window, none, none},
                               std::vector{prepared(Causal{}, n), prepared(Full{}, n)}})
    for (const bool residual : {true, false}) {
      const LayerStack stack{patterns, residual};
      const ReceptiveField field = receptiveField(stack, 13, 1);
      REQUIRE(field.layers.size() == 13);
      Cells2d cells = identityCells(static_cast<std::size_t>(n));
      for (const LayerReach& layer : field.layers) {
        Cells2d mask = cellsOf(stack.pattern(layer.layer));
        for (std::size_t i = 0; residual && i < mask.size(); ++i)
          mask[i][i] = true;
        cells = booleanProduct(mask, cells);
        CHECK(layer.pairs == cellsIn(cells));
      }
      REQUIRE(equal(field.reach, cells));
    }
}

TEST_CASE("rows of bits give their runs and counts", "[reach]") {
  Dice dice(3);
  for (int k = 0; k < 200; ++k) {
    const Index cols = dice.within(1, 300);
    BitMatrix bits(1, cols);
    std::set<Index> ones;
    for (Index r = dice.within(0, 5); r > 0; --r) {
      const Index begin = dice.within(0, cols);
      const Index end = dice.within(begin, cols);
      setBits(bits.row(0), begin, end);
      for (Index j = begin; j < end; ++j)
        ones.insert(j);
    }
    KeyRanges ranges;
    bits.ranges(0, ranges);
    Index before = -1;
    std::set<Index> seen;
    for (const KeyRange& range : ranges) {
      REQUIRE(range.begin > before);
      REQUIRE(range.begin < range.end);
      before = range.end;
      for (Index j = range.begin; j < range.end; ++j)
        seen.insert(j);
    }
    REQUIRE(seen == ones);
    const Index from = dice.within(0, cols);
    const Index to = dice.within(from, cols);
    REQUIRE(countBits(bits.row(0), from, to) ==
            std::distance(ones.lower_bound(from), ones.lower_bound(to)));
  }
}

TEST_CASE("the reach is a mask like any other", "[reach]") {
  const LayerStack stack{{prepared(Pattern(Strided{5}), 41)}, true};
  ReceptiveField field = receptiveField(stack, 1);
  const Index pairs = field.layers.back().pairs;
  const auto mask = reachPattern(std::move(field.reach));
  CHECK(mask->pairs() == pairs);
  CHECK(mask->count({3, 9, 0, 41}) == stack.patterns.front()->count({3, 9, 0, 41}));
  CHECK(mask->why(7, 2).text == "input 2 can influence output 7");
  CHECK(mask->why(2, 7).text == "input 7 cannot influence output 2");
}

TEST_CASE("stacks without a reach are errors and a stop is obeyed", "[reach]") {
  const auto square = prepared(Pattern(Causal{}), 8);
  CHECK_THROWS_AS(receptiveField({{}, true}, 1), Error);
  CHECK_THROWS_AS(receptiveField({{square}, true}, -1), Error);
  CHECK_THROWS_AS(receptiveField({{square, prepared(Pattern(Causal{}), 9)}, true}, 1), Error);
  CHECK_THROWS_AS(
      receptiveField({{prepare(Causal{}, alignedLengths(4, 8, Align::TopLeft))}, true}, 1), Error);
  CHECK_THROWS_AS(hopMatrix({{prepared(Pattern(Causal{}), kMostReachTokens + 1)}, true}), Error);
  CHECK_THROWS_AS(influencing({{square}, true}, 8, 1), Error);
  CHECK_THROWS_AS(shortestPath({{square}, true}, 0, -1, 1), Error);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(receptiveField({{square}, true}, 3, 1, {stop.get_token(), {}}), Stopped);
}
