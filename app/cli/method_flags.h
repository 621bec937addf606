// Mechanisms on the command line: patterns, and the approximations that are not patterns, random
// features and Linformer, which several commands measure beside them.
#pragma once

#include "app/cli/arguments.h"
#include "core/analysis/score/score_board.h"

#include <string>
#include <vector>

namespace attention::cli {

// --features with --m, --projection, --norms, --projection-seed, --stabilize and --eps; --kernel;
// --linformer with --linformer-seed.
std::vector<Flag> methodFlags();

// Words for such mechanisms in commands that take them like patterns: the feature maps and
// linformer (--k: its numbers of projected keys; --causal: features over j ≤ i).
std::vector<std::string> methodWords();

// The patterns, their files read; then features, each map with every --projection and --m; then
// Linformers; then kernels. `d` of the input's heads. E_TYPE where a flag is given that none of
// them reads; E_RANGE, E_UNKNOWN.
std::vector<ScoredMethod> methodsFrom(const Arguments& arguments, Index d);

} // namespace attention::cli
