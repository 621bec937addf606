// Flags of commands that attend: how scores are made, and what a pattern is measured against. A
// flag replaces what the input's file says. Inputs are loaded with them (input_flags.h), so that
// whatever computes scores reads them from the input alone.
#pragma once

#include "app/cli/arguments.h"
#include "core/analysis/base.h"
#include "core/code/score_source.h"
#include "core/input/input.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attention::cli {

// --scale, --softcap, --alibi, --bias, --temperature, --sink-logit and --modifiers.
std::vector<Flag> scoreFlags();

// What they say in place of `modifiers`, for an input with so many heads; 0: any number.
// E_TYPE, E_RANGE, E_SHAPE, E_NONFINITE, E_UNKNOWN; E_IO for files.
ScoreModifiers scoreModifiersFrom(const Arguments& arguments, ScoreModifiers modifiers,
                                  Index heads);

// The input with its scores made as they say. E_UNSUPPORTED where it has ready weights alone;
// E_TYPE, E_RANGE, E_NONFINITE.
Input withScoreFlags(const Arguments& arguments, Input input);
std::shared_ptr<const Input> withScoreFlags(const Arguments& arguments,
                                            std::shared_ptr<const Input> input);

// For source code without an input: --heads, or as many heads as the lists have numbers. E_TYPE:
// slopes by name without a number of heads.
CodeScores scoresWithoutInput(const Arguments& arguments);

// E_UNSUPPORTED where one of them is given: "scale is given `where`; it must be left out, since
// `why`".
void refuseScoreFlags(const Arguments& arguments, const std::string& where, const std::string& why);

// --base.
Flag baseFlag();
// Full or causal where --base says so; nothing for own, which is the default.
std::optional<Base> baseFrom(const Arguments& arguments);

} // namespace attention::cli
