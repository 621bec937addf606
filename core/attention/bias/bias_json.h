// Biases of scores as JSON (T8):
//
//   {"kind": "alibi", "slopes": "standard" | "plain" | m | [one per head], "side": "distance" |
//    "signed" | "column"}
//   {"kind": "t5", "table": [[one per head], one row per bucket], "bidirectional": bool,
//    "max_distance": D}
//   {"kind": "relative", "table": [2 R + 1 numbers]}
#pragma once

#include "core/attention/modifiers.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace attention {

// E_TYPE, E_RANGE, E_SHAPE, E_UNKNOWN, E_NONFINITE; `subject` names where it stands.
ScoreBiasSpec biasFrom(const nlohmann::json& json, const std::string& subject);
nlohmann::json toJson(const ScoreBiasSpec& bias); // null where there is none

// A number for all heads, or a list with one for each.
HeadNumbers headNumbersFrom(const nlohmann::json& json, const std::string& subject);
nlohmann::json toJson(const HeadNumbers& numbers);

// "distance", "signed", "column". E_RANGE.
AlibiSide alibiSideNamed(const std::string& name, const std::string& subject);

} // namespace attention
