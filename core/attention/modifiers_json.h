// What a file or a user wants done to scores before the softmax (core/attention/modifiers.h), in
// the specification's form (T8):
//
//   {"scale": x, "softcap": c, "bias": {"kind": "alibi" | "t5" | "relative", …}, "temperature": T,
//    "sink": s | [one per head], "order": ["softcap", "bias"]}
#pragma once

#include "core/attention/modifiers.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace attention {

// `subject` names where they stand. E_TYPE: not an object, or not what belongs at a name;
// E_NONFINITE; E_RANGE: a cap or a temperature that is not positive, an order that does not name
// softcap and bias once each, a bias out of range; E_SHAPE: a table of another shape; E_UNKNOWN:
// any other name, or kind of bias. How lists fit the heads is checkModifiers' to say.
ScoreModifiers scoreModifiers(const nlohmann::json& json, const std::string& subject);

// The same as JSON, without what changes nothing.
nlohmann::json toJson(const ScoreModifiers& modifiers);

// A single number of them, which must be above 0 if it is a cap. E_TYPE, E_NONFINITE, E_RANGE.
double numberFrom(const nlohmann::json& json, const std::string& subject);
double positiveFrom(const nlohmann::json& json, const std::string& subject);

} // namespace attention
