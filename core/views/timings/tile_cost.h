// Why a sparse pattern is slower than its pairs suggest: block-sparse kernels compute whole tiles
// (core/analysis/tiles).
#pragma once

#include "core/analysis/score/score_board.h"
#include "core/analysis/timing/timings.h"

#include <optional>
#include <span>
#include <string>

namespace attention {

// About the pattern whose time, as a share of dense attention's at the same n, exceeds the share of
// its pairs most, where that is by half or more: "At n = 4 096, Strided takes 12 % of the time of
// full attention but has only 4 % of its pairs. …", with the tiles that hold these pairs. Nothing
// where no pattern does, where dense attention was not measured, and for patterns that depend on
// the data.
std::optional<std::string> tileCostSentence(const Timings& timings,
                                            std::span<const ScoredMethod> methods,
                                            std::span<const std::string> names,
                                            const Run& run = {});

} // namespace attention
