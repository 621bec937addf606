// Which queries are computed together: every attended cell in exactly one tile, and combs by
// residue classes where neighbours share nothing of them.
#include "core/attention/exp.h"
#include "core/attention/tile_plan.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <cmath>
#include <limits>
#include <map>

using namespace attention;

namespace {

BlockKeys keysOf(const Prepared& pattern) {
  BlockKeys keys;
  KeyRanges row;
  for (Index i = 0; i < pattern.lengths().queries; ++i) {
    pattern.row(i, row);
    keys.appendRow(row);
  }
  return keys;
}

// How often each (row, key) is computed and seen.
std::map<std::pair<Index, Index>, int> cellsOf(const std::vector<Tile>& tiles) {
  std::map<std::pair<Index, Index>, int> cells;
  for (const Tile& tile : tiles)
    for (Index r = 0; r < tile.rowEnd - tile.rowBegin; ++r)
      for (const Interval& seen : tile.row(r))
        tile.line.forEachRun(seen.begin, seen.end, [&](Index key, Index, Index length) {
          for (Index k = 0; k < length; ++k)
            ++cells[{tile.rowBegin + r, key + k}];
        });
  return cells;
}

Index scoresOf(const std::vector<Tile>& tiles) {
  Index scores = 0;
  for (const Tile& tile : tiles)
    scores += (tile.rowEnd - tile.rowBegin) * tile.line.size();
  return scores;
}

} // namespace

TEST_CASE("every attended cell is in exactly one tile over the whole family") {
  const Index n = GENERATE(1, 7, 64);
  Dice dice(static_cast<int>(n) + 7);
  for (std::size_t m = 0; m < allMechanisms().size(); ++m)
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Pattern random = randomPattern(dice, m, n);
      std::shared_ptr<const Prepared> pattern;
      try {
        pattern = prepare(random, squareLengths(n), randomData(n));
      } catch (const Error&) {
        continue; // random parameters that do not fit together
      }
      INFO(shortText(random) << " at n = " << n);
      const std::vector<Tile> tiles = planTiles(keysOf(*pattern));
      CHECK(scoresOf(tiles) <= 3 * pattern->pairs());
      const auto cells = cellsOf(tiles);
      CHECK(static_cast<Index>(cells.size()) == pattern->pairs());
      for (const auto& [cell, times] : cells) {
        CHECK(times == 1);
        CHECK(pattern->contains(cell.first, cell.second));
      }
    }
}

TEST_CASE("combs that neighbours share stay with them and others go by residue classes") {
  Strided strided;
  strided.stride = 16;
  strided.head = Factor::Second;
  CHECK(scatteredPeriods(keysOf(*prepare(strided, squareLengths(64)))) == std::vector<Index>{16});
  Fixed fixed;
  fixed.stride = 16;
  fixed.head = Factor::Second;
  fixed.causal = false;
  CHECK(scatteredPeriods(keysOf(*prepare(fixed, squareLengths(64)))).empty());
}

TEST_CASE("one row that sees everything does not make its block dense") {
  const Index n = 64;
  BlockKeys keys;
  for (Index i = 0; i < n; ++i)
    keys.appendRow(i == 5 ? KeyRanges{{0, 100000, 1, 1}} : KeyRanges{{i, i + 4, 1, 1}});
  const Index useful = 100000 + (n - 1) * 4;
  CHECK(scoresOf(planTiles(keys)) <= 3 * useful);
}

TEST_CASE("the exponential of tiles is within three roundings of exp and never subnormal") {
  for (float x = -95; x <= 0; x += 0.00731F) {
    const float p = expOfNegative(x);
    if (x < -87)
      REQUIRE(p == 0);
    else
      REQUIRE(std::abs(static_cast<double>(p) / std::exp(static_cast<double>(x)) - 1) <
              3.0 / (1 << 24));
  }
  CHECK(expOfNegative(0) == 1);
  CHECK(expOfNegative(-std::numeric_limits<float>::infinity()) == 0);
}
