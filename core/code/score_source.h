// Score modifiers (core/attention/modifiers.h) as a score_mod of FlexAttention.
#pragma once

#include "core/attention/modifiers.h"
#include "core/pattern/lengths.h"

#include <string>

namespace attention {

// How the scores of an input's heads are made.
struct CodeScores {
  ScoreModifiers modifiers = {};
  Index heads = 1;
};

// Whether scores need more than a scale, and so torch and a score_mod.
bool needsScoreMod(const CodeScores& scores);

// The tensors and the function score_mod(score, b, h, q_idx, kv_idx), after two empty lines; empty
// where it is not needed. FlexAttention has multiplied `score` by the scale.
std::string scoreModSource(const CodeScores& scores, const Lengths& lengths);

// The call of flex_attention that uses it and block_mask, in comments; a sink is applied to its
// output.
std::string flexCallSource(const CodeScores& scores);

} // namespace attention
