// Patterns as JSON in the specification's form:
// {"mechanism": "strided", "params": {"stride": 8, "head": 2}}, compositions included (S4.18).
#pragma once

#include "core/pattern/pattern.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace attention {

// Parameters that were not given are left out.
nlohmann::ordered_json toJson(const Pattern& pattern);

// Throws E_TYPE (wrong type, missing mechanism), E_UNKNOWN (mechanism, parameter or field),
// E_RANGE (a choice that does not exist).
Pattern patternFromJson(const nlohmann::ordered_json& json);

// One parameter's value of its type. Throws E_TYPE.
Value valueFromJson(const Parameter& parameter, const nlohmann::ordered_json& json);

// null for a value that was not given.
nlohmann::ordered_json valueToJson(const Value& value);

// Text to JSON, at most 64 levels deep. Throws E_TYPE that says where it breaks; `what` names the
// text ("pattern", a file).
nlohmann::ordered_json parseJson(std::string_view text, std::string_view what);

} // namespace attention
