// The score board of ready attention weights: what patterns keep of them. Without queries and keys
// nothing can be computed but what the weights themselves tell: mass, recall and entropy, and with
// values the error of the outputs.
#pragma once

#include "core/analysis/score/score_board.h"

namespace attention {

// Heads and items of a batch alike; loaded one at a time.
struct ReadyInput {
  Index n = 1;
  Index heads = 1;
  std::function<Matrix<double>(Index head)> weights;     // n × n, none below 0
  std::function<Matrix<double>(Index head)> values = {}; // n × d_v, where there are some
};

// A score a pattern, in order. FLOPs, bytes and seconds are NaN: they belong to attention computed
// from queries and keys. E_UNSUPPORTED: a method that is no
// pattern. O(n² log k) a head and pattern.
std::vector<Score> readyBoard(std::span<const ScoredMethod> methods, const ReadyInput& input,
                              const ScoreOptions& options, const Run& run = {});

} // namespace attention
