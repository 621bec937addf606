// A plan's shared segments as steps: as many keys as a kernel takes at once, and the rows that see
// them. Long runs of keys, and combs of width 1, are read in place, with small gaps that no row
// sees; short ones are gathered, so that wider combs, columns and clusters become dense.
#pragma once

#include "core/attention/group_blocks.h"
#include "core/attention/strip_kernel.h"
#include "core/attention/tile_plan.h"

namespace attention {

// One step of a computation over the shared segments: keys and the rows that see them.
struct Step {
  Index count = 0;
  Index firstKey = -1; // ≥ 0: keys are this one and others `keyStep` apart; else they are `keys`
  Index keyStep = 1;
  std::array<Index, static_cast<std::size_t>(kStepKeys)> keys{};
  std::array<std::uint64_t, static_cast<std::size_t>(kStepKeys)> seen{};

  Index key(Index t) const {
    return firstKey >= 0 ? firstKey + t * keyStep : keys[static_cast<std::size_t>(t)];
  }
};

// Cuts the shared segments of a plan into steps: long runs of keys and combs in place, short ones
// gathered.
class StepCutter {
public:
  explicit StepCutter(const BlockPlan& plan);

  // Whether there was one more.
  bool next(Step& step);

private:
  Index reach() const;
  void takeRun(Step& step, Index length);
  void gather(Step& step);
  void settle();

  const BlockPlan& plan_;
  std::size_t segment_ = 0;
  Index position_ = 0;
};

// The same for a list of keys.
class KeyListCutter {
public:
  explicit KeyListCutter(const KeyList& list) : list_(list) {}

  bool next(Step& step);

private:
  std::size_t runFrom(std::size_t at) const; // keys without a gap, as many as fit into a step

  const KeyList& list_;
  std::size_t at_ = 0;
};

} // namespace attention
