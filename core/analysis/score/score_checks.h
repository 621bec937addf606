// What a score board refuses before any work, as far as that shows: parameters out of range, scales
// and bases that a mechanism cannot be measured with.
#pragma once

#include "core/analysis/score/score_board.h"

namespace attention {

// Whether the method is defined for scores of such a scale (1/√d where none is given) and cap:
// features and kernels that stand for exp(q·k / √d) are for these scores only.
bool suitsScores(const ScoredMethod& method, const std::optional<double>& scale,
                 const std::optional<double>& softcap, Index d);

// E_RANGE, E_UNSUPPORTED, and what drawing and preparing throw. `head` is one of the input's, of n
// tokens. O(d²).
template <class T>
void checkScored(const ScoredMethod& method, const ScoredHead<T>& head, const ScoreOptions& options,
                 const Run& run);

} // namespace attention
