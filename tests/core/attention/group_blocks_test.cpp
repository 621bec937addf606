// Attention over groups of queries with the same keys: every cell once, however parts overlap.
#include "core/attention/attend.h"
#include "core/attention/group_blocks.h"
#include "core/attention/step_cutter.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/pattern.h"
#include "tests/catch.h"
#include "tests/core/attention/against_twin.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/pattern/random_pattern.h"

#include <algorithm>
#include <bit>
#include <map>

using namespace attention;

namespace {

constexpr Index kTokens = 200;

// Each key with probability 1 / `oneIn`, and sometimes a long run.
std::vector<Index> randomKeys(Dice& dice, Index oneIn) {
  std::vector<Index> keys;
  const Index runBegin = dice.within(0, 2 * kTokens);
  for (Index j = 0; j < kTokens; ++j)
    if (dice.within(1, oneIn) == 1 || (j >= runBegin && j < runBegin + 60))
      keys.push_back(j);
  return keys;
}

// Groups of random sizes over some of the queries; some queries do not attend to themselves.
std::shared_ptr<const KeyGroups> randomGroups(Dice& dice, bool causal) {
  std::vector<KeyGroup> groups(static_cast<std::size_t>(dice.within(1, 12)));
  for (KeyGroup& group : groups)
    group.keys = randomKeys(dice, dice.within(2, 30));
  const auto last = static_cast<Index>(groups.size()); // one beyond: in no group
  for (Index i = 0; i < kTokens; ++i)
    if (const Index g = dice.within(0, last); g < last)
      groups[static_cast<std::size_t>(g)].queries.push_back(i);
  std::vector<bool> withoutSelf;
  if (dice.within(0, 1) == 1)
    for (Index i = 0; i < kTokens; ++i)
      withoutSelf.push_back(dice.within(0, 1) == 1);
  return std::make_shared<const KeyGroups>(groups, causal, withoutSelf);
}

Prepared overlapping(int seed) {
  Dice dice(seed);
  const bool causal = dice.within(0, 1) == 1;
  std::vector<Part> parts;
  for (Index p = dice.within(1, 4); p > 0; --p)
    parts.push_back({"part", "part", cellsOf(randomGroups(dice, causal))});
  return {squareLengths(kTokens), std::move(parts), Outputs{}, Parts::Overlapping};
}

using CellCounts = std::map<std::pair<Index, Index>, int>;

void addCells(const GroupBlock& block, CellCounts& cells) {
  const auto add = [&](Index key, std::uint64_t rows) {
    for (; rows != 0; rows &= rows - 1)
      ++cells[{block.queries[static_cast<std::size_t>(std::countr_zero(rows))], key}];
  };
  Step step;
  for (KeyListCutter steps(block.shared); steps.next(step);)
    for (Index t = 0; t < step.count; ++t)
      add(step.key(t), step.seen[static_cast<std::size_t>(t)]);
  for (std::size_t k = 0; k < block.lone.keys.size(); ++k)
    add(block.lone.keys[k], block.lone.seen[k]);
}

} // namespace

TEST_CASE("blocks of groups hold every attended cell once and no query twice in a round") {
  const int seed = GENERATE(range(0, 20));
  INFO("seed " << seed);
  const Prepared pattern = overlapping(seed);
  const auto blocks = GroupBlocks::of(pattern);
  REQUIRE(blocks);
  CellCounts cells;
  GroupBlock block;
  for (Index round = 0; round < blocks->rounds(); ++round) {
    std::vector<Index> queries;
    for (Index b = 0; b < blocks->blocks(round); ++b) {
      blocks->fill(round, b, block);
      REQUIRE(static_cast<Index>(block.queries.size()) <= 64);
      queries.insert(queries.end(), block.queries.begin(), block.queries.end());
      addCells(block, cells);
    }
    std::sort(queries.begin(), queries.end());
    CHECK(std::adjacent_find(queries.begin(), queries.end()) == queries.end());
  }
  CHECK(static_cast<Index>(cells.size()) == pattern.pairs());
  for (const auto& [cell, times] : cells)
    if (times != 1 || !pattern.contains(cell.first, cell.second))
      FAIL("query " << cell.first << " sees key " << cell.second << " " << times << " times");
}

TEST_CASE("attention over overlapping groups agrees with the plain twin at any number of threads") {
  const int seed = GENERATE(range(0, 8));
  INFO("seed " << seed);
  const Prepared pattern = overlapping(seed);
  const RandomQkv<float> in(kTokens, kTokens, 6, 4, 3);
  AttendOptions options;
  options.threads = 1;
  checkAgainstTwin(pattern, in, options);
  const auto one = attend(pattern, in.qView(), in.kView(), in.vView(), options);
  for (const int threads : {2, 3, 8}) {
    options.threads = threads;
    CHECK(sameBits(attend(pattern, in.qView(), in.kView(), in.vView(), options), one));
  }
}

TEST_CASE("patterns of groups are known as such and others are not") {
  const Index n = 64;
  const PatternData data = randomData(n);
  for (const char* name : {"cluster", "routing", "lsh"}) {
    INFO(name);
    CHECK(GroupBlocks::of(*prepare(patternNamed(name), squareLengths(n), data)));
  }
  CHECK_FALSE(GroupBlocks::of(*prepare(Causal{}, squareLengths(n))));
  CHECK_FALSE(GroupBlocks::of(*prepare(patternNamed("bigbird"), squareLengths(n))));
}
