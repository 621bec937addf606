// What mechanisms are timed on: normal queries, keys and values (S7.6), of any length from one
// seed, the shorter ones the first tokens of the longer.
#pragma once

#include "core/analysis/timing/measure.h"

namespace attention {

// Heads of width d; drawing takes all threads of the machine. E_RANGE: d, or a number of heads
// beyond what can be drawn.
TimingInput timingInput(Index d, Index heads, std::uint64_t seed);

} // namespace attention
