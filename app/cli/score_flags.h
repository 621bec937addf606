// Flags of commands that attend: how scores are made, and what a pattern is measured against. A
// flag replaces what the input's file says.
#pragma once

#include "app/cli/arguments.h"
#include "core/analysis/base.h"
#include "core/attention/attend.h"
#include "core/input/input.h"

#include <optional>
#include <vector>

namespace attention::cli {

// --scale, --softcap and --modifiers.
std::vector<Flag> scoreFlags();
AttendOptions attendOptionsFrom(const Arguments& arguments, const Input& input);

// E_UNSUPPORTED where one of them is given: "scale is given `where`; it must be left out, since
// `why`".
void refuseScoreFlags(const Arguments& arguments, const std::string& where, const std::string& why);
void refuseScoreFlagsOfWeights(const Arguments& arguments);

// --base.
Flag baseFlag();
// Full or causal where --base says so; nothing for own, which is the default. E_RANGE.
std::optional<Base> baseFrom(const Arguments& arguments);

} // namespace attention::cli
