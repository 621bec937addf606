// Where one mechanism overtakes another: the n at which the lines between neighbouring medians
// cross on log-log axes. Stated only between two measured sizes at which the quartiles of the two
// do not overlap, the one faster at the smaller size and the other at the larger; sizes in between
// with overlapping quartiles decide nothing. Nothing is said beyond the measured sizes.
#pragma once

#include "core/analysis/timing/sample_summary.h"

#include <span>
#include <vector>

namespace attention {

// Fewest samples of a size: the quartiles of fewer say nothing, and such a size decides nothing.
constexpr Index kFewestForCrossover = 3;

// One mechanism's time at one size.
struct TimedSize {
  Index n = 1;
  SampleSummary seconds;
};

struct Crossover {
  double n = 0;  // of the crossing
  Index low = 0; // measured sizes around it at which the order is not noise
  Index high = 0;
  bool firstLeads = false; // whether the first one is the faster one below n
};

// Both ascending in n; sizes that only one of them has are skipped.
std::vector<Crossover> crossoversOf(std::span<const TimedSize> first,
                                    std::span<const TimedSize> second);

} // namespace attention
