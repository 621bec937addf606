// Patterns as JSON in the specification's form:
// {"mechanism": "strided", "params": {"stride": 8, "head": 2}}, compositions included (S4.18).
#pragma once

#include "core/pattern/pattern.h"

#include <nlohmann/json_fwd.hpp>

namespace attention {

// Parameters that were not given are left out.
nlohmann::ordered_json toJson(const Pattern& pattern);

// Throws E_TYPE (wrong type, missing mechanism), E_UNKNOWN (mechanism, parameter or field),
// E_RANGE (a choice that does not exist).
Pattern patternFromJson(const nlohmann::json& json);

// One parameter's value of its type. Throws E_TYPE.
Value valueFromJson(const ParameterFacts& parameter, const nlohmann::json& json);

// null for a value that was not given.
nlohmann::ordered_json valueToJson(const Value& value);

} // namespace attention
