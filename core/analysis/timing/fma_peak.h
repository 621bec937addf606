// The limit of a core: a loop of fused multiply-adds on registers only, twelve independent chains
// of the widest vectors that the processor has, chosen at run time. Nothing that computes attention
// can be faster; its share of this rate says how well a machine is used.
#pragma once

#include "core/support/integers.h"
#include "core/support/run.h"

#include <string_view>

namespace attention {

// Floating point operations, a multiplication and an addition counting 2, of `rounds` rounds of the
// loop on each of `threads` threads.
double peakFlops(Index rounds, int threads);

// Runs them; a round takes a few nanoseconds. Returns a sum that depends on every round, so that
// none can be optimised away. Throws Stopped before a thread begins.
float runPeakLoop(Index rounds, int threads, const Run& run = {});

// The vectors in use: "AVX2", "AVX3", "NEON".
std::string_view peakVectors();

} // namespace attention
