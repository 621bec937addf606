// What an input does to its scores before the softmax, in words.
#pragma once

#include "core/attention/modifiers.h"
#include "core/attention/scoring.h"

#include <string>
#include <vector>

namespace attention {

// A sentence per modifier, in the order in which they apply: "Scores are capped at ±50."
std::vector<std::string> scoreSentences(const ScoreModifiers& modifiers);

// What keeps kernels that stand for exp(q·k / √d) from it: "caps its scores". Needs modifiers other
// than 1/√d.
std::string scoreChange(const ScoreModifiers& modifiers);

// The way from q·k to the score of query i and key j, number by number: "score 3.1 → capped 2.9 →
// bias −0.4 → 2.5". Empty where there is nothing but a scale.
std::string scorePath(const Scoring& scoring, double product, Index i, Index j);

} // namespace attention
