// The captured mass of the score board's patterns where scores have a sink (T8): the board's is a
// share of what the sink leaves, this one of all.
#pragma once

#include "core/analysis/score/score_board.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// One per method, means over the heads, against the base that its score names, or that of each
// head; nothing for what is no pattern, and where no head has a sink. Throws as scoreBoard. O(n² d)
// per pattern and head.
template <class T>
std::vector<std::optional<double>>
massesOfAll(std::span<const ScoredMethod> methods, std::span<const Score> scores,
            const ScoredInput<T>& input, const ScoreOptions& options, const Run& run = {});

} // namespace attention
