// Which queries are computed together: every attended cell once, in a shared segment or by itself,
// through the steps that a kernel takes, and combs by residue classes where neighbours share none
// of them.
#include "core/attention/exp.h"
#include "core/attention/step_cutter.h"
#include "core/pattern/mechanism/factor.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>

using namespace attention;

namespace {

using CellCounts = std::map<std::pair<Index, Index>, int>;

BlockKeys keysOf(const Prepared& pattern, Index first, Index count) {
  BlockKeys keys;
  KeyRanges row;
  for (Index i = first; i < std::min(first + count, pattern.lengths().queries); ++i) {
    pattern.row(i, row);
    keys.appendRow(row);
  }
  return keys;
}

BlockKeys keysOf(const Prepared& pattern) {
  return keysOf(pattern, 0, kBlockRows);
}

// How often each (row, key) is computed and counted.
CellCounts cellsOf(const BlockPlan& plan) {
  CellCounts cells;
  Step step;
  for (StepCutter steps(plan); steps.next(step);)
    for (Index t = 0; t < step.count; ++t)
      for (std::uint64_t rows = step.seen[static_cast<std::size_t>(t)]; rows != 0; rows &= rows - 1)
        ++cells[{std::countr_zero(rows), step.key(t)}];
  for (std::size_t r = 0; r < plan.lone.size(); ++r)
    for (const Interval& lone : plan.lone[r])
      plan.line.forEachRun(lone.begin, lone.end, [&](Index key, Index, Index length) {
        for (Index k = 0; k < length; ++k)
          ++cells[{static_cast<Index>(r), key + k}];
      });
  return cells;
}

// The keys of all steps as they come.
std::vector<Index> stepKeysOf(const BlockPlan& plan) {
  std::vector<Index> keys;
  Step step;
  for (StepCutter steps(plan); steps.next(step);)
    for (Index t = 0; t < step.count; ++t)
      keys.push_back(step.key(t));
  return keys;
}

// Scores that strips of `width` rows compute, and those of single cells.
Index scoresOf(const BlockPlan& plan, Index width) {
  Index scores = 0;
  for (const KeySegment& segment : plan.shared)
    for (Index first = 0; first < kBlockRows; first += width)
      if ((segment.rows >> first & (~std::uint64_t{0} >> (64 - width))) != 0)
        scores += width * (segment.end - segment.begin);
  for (const std::vector<Interval>& row : plan.lone)
    for (const Interval& lone : row)
      scores += lone.end - lone.begin;
  return scores;
}

Index loneCells(const BlockPlan& plan) {
  Index cells = 0;
  for (const std::vector<Interval>& row : plan.lone)
    for (const Interval& lone : row)
      cells += lone.end - lone.begin;
  return cells;
}

} // namespace

TEST_CASE("a plan computes every attended cell once over the whole family") {
  const Index n = GENERATE(1, 7, 64, 100);
  const Index width = GENERATE(2, 16, 64);
  Dice dice(static_cast<int>(n + width));
  BlockPlanner planner(width);
  for (std::size_t m = 0; m < allMechanisms().size(); ++m)
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Pattern random = randomPattern(dice, m, n);
      std::shared_ptr<const Prepared> pattern;
      try {
        pattern = prepare(random, squareLengths(n), randomData(n));
      } catch (const Error&) {
        continue; // random parameters that do not fit together
      }
      INFO(shortText(random) << " at n = " << n << ", strips of " << width);
      Index pairs = 0;
      for (Index first = 0; first < n; first += kBlockRows) {
        const BlockPlan& plan = planner.plan(keysOf(*pattern, first, kBlockRows));
        const CellCounts cells = cellsOf(plan);
        pairs += static_cast<Index>(cells.size());
        // What is shared belongs to at least 40 in 100 rows.
        CHECK(2 * scoresOf(plan, width) <= 5 * static_cast<Index>(cells.size()));
        for (const auto& [cell, times] : cells) {
          CHECK(times == 1);
          CHECK(pattern->contains(first + cell.first, cell.second));
        }
      }
      CHECK(pairs == pattern->pairs());
    }
}

TEST_CASE("a moved plan equals one made again") {
  Dice dice(GENERATE(range(0, 60)));
  BlockKeys keys;
  const Index kind = dice.within(0, 2);
  const Index rows = dice.within(1, kBlockRows);
  for (Index r = 0; r < rows; ++r) {
    KeyRanges row;
    if (kind == 0) { // a window, and sometimes a run beside it
      row.push_back({100 + r, 100 + r + dice.within(20, 40), 1, 1});
      if (dice.chance(2))
        row.push_back({300, 300 + dice.within(1, 50), 1, 1});
    } else { // a comb, or two
      row.push_back({100, 100 + 12 * dice.within(20, 40), 12, 1});
      if (kind == 2)
        row.push_back({107, 107 + 12 * dice.within(20, 40), 12, 2});
    }
    keys.appendRow(row);
  }
  BlockPlanner mover(16);
  mover.plan(keys);
  Index away = 0;
  for (int step = 0; step < 6; ++step) {
    const Index before = away;
    away = dice.within(-100, 300);
    for (KeyRange& range : keys.ranges) {
      range.begin += away - before;
      range.end += away - before;
    }
    if (step == 3) // no longer moved
      ++keys.ranges.back().end;
    BlockPlanner maker(16);
    const BlockPlan& moved = mover.plan(keys);
    const BlockPlan& made = maker.plan(keys);
    REQUIRE(cellsOf(moved) == cellsOf(made));
    REQUIRE(stepKeysOf(moved) == stepKeysOf(made));
    CHECK(scoresOf(moved, 16) == scoresOf(made, 16));
    CHECK(moved.line.size() == made.line.size());
  }
}

TEST_CASE("keys beyond one window of positions are planned like the others") {
  const Index n = 40000;
  BlockKeys keys;
  keys.appendRow(KeyRanges{{0, n, 1, 1}});
  keys.appendRow(KeyRanges{{10, 20, 1, 1}, {16380, 16390, 1, 1}, {32768, n, 1, 1}});
  keys.appendRow(KeyRanges{{3, n, 7, 2}});
  BlockPlanner planner(2);
  const CellCounts cells = cellsOf(planner.plan(keys));
  Index expected = 0;
  for (const KeyRange& range : keys.ranges)
    expected += count(range);
  CHECK(static_cast<Index>(cells.size()) == expected);
  for (const auto& [cell, times] : cells)
    if (times != 1)
      FAIL("row " << cell.first << " sees key " << cell.second << " " << times << " times");
  CHECK(cells.contains({1, 16384}));
  CHECK(cells.contains({2, 4}));
  CHECK_FALSE(cells.contains({2, 5}));
}

TEST_CASE("windows are shared and scattered single keys are not") {
  BlockKeys windows;
  BlockKeys scattered;
  for (Index i = 0; i < kBlockRows; ++i) {
    windows.appendRow(KeyRanges{{i, i + 128, 1, 1}});
    scattered.appendRow(KeyRanges{{37 * i, 37 * i + 1, 1, 1}, {5000 + i, 5001 + i, 1, 1}});
  }
  BlockPlanner planner(16);
  CHECK(loneCells(planner.plan(windows)) == 0);
  CHECK(loneCells(planner.plan(scattered)) == 2 * kBlockRows);
  CHECK(planner.plan(scattered).shared.empty());
}

TEST_CASE("long runs of keys are read in place and short ones are gathered") {
  BlockKeys keys;
  for (Index i = 0; i < kBlockRows; ++i)
    keys.appendRow(KeyRanges{{3, 300, 1, 1}, {400, 402, 1, 1}, {500, 503, 1, 1}});
  BlockPlanner planner(16);
  StepCutter steps(planner.plan(keys));
  Step step;
  REQUIRE(steps.next(step));
  CHECK(step.firstKey == 3);
  CHECK(step.count == kStepKeys);
  REQUIRE(steps.next(step));
  CHECK(step.firstKey == 3 + kStepKeys);
  CHECK(step.count == 297 - kStepKeys);
  REQUIRE(steps.next(step));
  CHECK(step.firstKey == -1);
  CHECK(std::vector<Index>(step.keys.begin(), step.keys.begin() + step.count) ==
        std::vector<Index>{400, 401, 500, 501, 502});
  CHECK_FALSE(steps.next(step));
}

TEST_CASE("combs of width 1 are read in place and wider ones are gathered") {
  const Index width = GENERATE(1, 2);
  BlockKeys keys;
  for (Index i = 0; i < kBlockRows; ++i)
    keys.appendRow(KeyRanges{{5, 5 + 7 * 200, 7, width}});
  BlockPlanner planner(16);
  StepCutter steps(planner.plan(keys));
  Step step;
  Index at = 0;
  for (const Index count : width == 1 ? std::vector<Index>{kStepKeys, 200 - kStepKeys}
                                      : std::vector<Index>{kStepKeys, kStepKeys, 16}) {
    REQUIRE(steps.next(step));
    CHECK(step.count == count);
    CHECK((step.firstKey >= 0) == (width == 1 && count == kStepKeys));
    for (Index t = 0; t < step.count; ++t, ++at)
      CHECK(step.key(t) == 5 + 7 * (at / width) + at % width);
  }
  CHECK_FALSE(steps.next(step));
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

TEST_CASE("combs are taken out by their periods and rows keep the rest") {
  BlockKeys keys;
  keys.appendRow(KeyRanges{{0, 5, 1, 1}, {8, 80, 8, 1}, {9, 90, 9, 2}});
  keys.appendRow(KeyRanges{{8, 80, 8, 1}});
  keys.appendRow(KeyRanges{{1, 2, 1, 1}});
  keys.removeCombs(std::vector<Index>{8});
  REQUIRE(keys.rows() == 3);
  CHECK(keys.row(0).size() == 2);
  CHECK(keys.row(1).empty());
  CHECK(keys.row(2).front() == KeyRange{1, 2, 1, 1});
}

TEST_CASE("blocks are thin by keys per row and more so where keys are scattered") {
  const auto rowsOf = [](Index keys, Index together) {
    BlockKeys block;
    for (Index i = 0; i < kBlockRows; ++i) {
      KeyRanges row;
      for (Index k = 0; k < keys; k += together)
        row.push_back({10 * k + i, 10 * k + i + together, 1, 1});
      block.appendRow(row);
    }
    return block;
  };
  CHECK(isThin(rowsOf(16, 16)));
  CHECK_FALSE(isThin(rowsOf(20, 20)));
  CHECK(isThin(rowsOf(32, 1)));
  CHECK_FALSE(isThin(rowsOf(33, 1)));
  BlockKeys comb;
  comb.appendRow(KeyRanges{{0, 300, 10, 1}});
  CHECK(isThin(comb));
  comb.appendRow(KeyRanges{{0, 300, 10, 4}});
  CHECK_FALSE(isThin(comb));
}

TEST_CASE("rows of short runs are scattered where they share less than three keys in ten") {
  // Every row has the same `shared` keys, and some of its own.
  const auto rowsOf = [](Index shared) {
    BlockKeys block;
    for (Index i = 0; i < kBlockRows; ++i) {
      KeyRanges row;
      for (Index k = 0; k < 100; ++k) {
        const Index key = 200 * k + (k < shared ? 0 : 2 * i + 1);
        row.push_back({key, key + 1, 1, 1});
      }
      block.appendRow(row);
    }
    return block;
  };
  CHECK(isScattered(rowsOf(0), 16, kLookedApart));
  CHECK(isScattered(rowsOf(29), 16, kLookedApart));
  CHECK_FALSE(isScattered(rowsOf(30), 16, kLookedApart));
  CHECK(hasShortRuns(rowsOf(0).row(0)));
  CHECK_FALSE(hasShortRuns(KeyRanges{{0, 500, 1, 1}, {600, 601, 1, 1}}));
  CHECK_FALSE(hasShortRuns(KeyRanges{{0, 1000, 2, 1}}));
  CHECK_FALSE(hasShortRuns(KeyRanges{{0, 2, 1, 1}, {4, 5, 1, 1}})); // a thin row
}

TEST_CASE("one row that attends to everything does not make its block dense") {
  BlockKeys keys;
  for (Index i = 0; i < kBlockRows; ++i)
    keys.appendRow(i == 5 ? KeyRanges{{0, 100000, 1, 1}} : KeyRanges{{i, i + 40, 1, 1}});
  const Index useful = 100000 + (kBlockRows - 1) * 40;
  BlockPlanner planner(16);
  const BlockPlan& plan = planner.plan(keys);
  CHECK(static_cast<double>(scoresOf(plan, 16)) <= 1.1 * static_cast<double>(useful));
  CHECK_FALSE(plan.shared.empty());
}

TEST_CASE("the exponential of kernels is within three roundings of exp and never subnormal") {
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

TEST_CASE("powers of two of strips are within three roundings of exp2 and never subnormal") {
  for (float x = -130; x <= 0; x += 0.00731F) {
    const float p = powerOfTwo(x);
    if (x <= -126)
      REQUIRE(p == 0);
    else
      REQUIRE(std::abs(static_cast<double>(p) / std::exp2(static_cast<double>(x)) - 1) <
              3.0 / (1 << 24));
  }
  CHECK(powerOfTwo(0) == 1);
  CHECK(powerOfTwo(-1e30F) == 0);
  CHECK(powerOfTwo(-std::numeric_limits<float>::infinity()) == 0);
  CHECK(powerOfTwo(std::numeric_limits<float>::quiet_NaN()) == 0);
}
