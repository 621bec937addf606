// Values from JSON: what the readers of parameters share.
#pragma once

#include "core/pattern/value.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace attention::json_values {

// E_TYPE: "`name` is [1, 2; it must be `allowed`", with an excerpt of what was found.
[[noreturn]] void throwType(const std::string& name, const nlohmann::json& found,
                            const char* allowed);

// Whether a number is an integer that 64 bits cannot hold; the parser reads it as float64.
bool hasMoreThan64Bits(const nlohmann::json& json);

// Throw E_TYPE and E_RANGE.
Index integerFrom(const std::string& name, const nlohmann::json& json);
std::vector<Index> integersFrom(const std::string& name, const nlohmann::json& json);

} // namespace attention::json_values

namespace attention {

// Strokes as JSON: [{"add": true, "shape": "rectangle", "at": [4, 8, 0, 2], "repeat": 16}, …].
// `at` is one place or a list of places (strokes.h); cells are always a list when written. `repeat`
// is absent, a period, or {"period": 16, "mirror": true} with either; `add` is true where absent.
// E_TYPE, E_RANGE and E_UNKNOWN name what is wrong: "strokes[2].at", with `name` for "strokes".
StrokeList strokesFromJson(const std::string& name, const nlohmann::json& json);

nlohmann::ordered_json strokesToJson(const StrokeList& strokes);

} // namespace attention
