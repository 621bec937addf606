// Strokes as JSON: [{"add": true, "shape": "rectangle", "at": [4, 8, 0, 2], "repeat": 16}, …].
// `at` is one place or a list of places (strokes.h); cells are always a list when written. `repeat`
// is absent, a period, or {"period": 16, "mirror": true} with either; `add` is true where absent.
#pragma once

#include "core/pattern/value.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attention {

// E_TYPE, E_RANGE and E_UNKNOWN name what is wrong: "strokes[2].at", with `name` for "strokes".
StrokeList strokesFromJson(const std::string& name, const nlohmann::json& json);

nlohmann::ordered_json strokesToJson(const StrokeList& strokes);

} // namespace attention
