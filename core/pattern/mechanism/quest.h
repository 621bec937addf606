// Quest (S25; Tang et al. 2024): keys lie in pages; every query, as one step of decoding, attends
// to the pages whose smallest and largest keys promise the largest scores.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

namespace attention {

struct Quest {
  enum class Reading { Kernel, Evaluation };

  Index pageSize = 16;
  Index tokenBudget = 1024;
  Reading reading = Reading::Kernel;
  bool operator==(const Quest&) const = default;
};

const Description& describe(const Quest&);
bool readsData(const Quest&);
bool takesRectangles(const Quest&);
// O(n² d / p) time.
std::shared_ptr<const Prepared> prepared(const Quest& quest, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
