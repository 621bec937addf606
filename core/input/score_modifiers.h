// What a file or a user wants done to scores before the softmax, in the specification's form:
// {"scale": x, "softcap": c}. Biases, temperatures and sinks have a place in that form; they are
// refused by name, since ignoring one would give different numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace attention {

struct ScoreModifiers {
  std::optional<double> scale;   // multiplier of q·k
  std::optional<double> softcap; // c of c tanh(u / c)
  bool operator==(const ScoreModifiers&) const = default;
};

// `subject` names where they stand. E_TYPE: not an object, or not a number where one belongs;
// E_NONFINITE; E_RANGE: a cap or a temperature that is not positive, an order that does not name
// softcap and bias once each (T8); E_UNSUPPORTED: a modifier that is not evaluated; E_UNKNOWN: any
// other name.
ScoreModifiers scoreModifiers(const nlohmann::json& json, const std::string& subject);

// A single number of them, which must be above 0 if it is a cap. E_TYPE, E_NONFINITE, E_RANGE.
double scaleFrom(const nlohmann::json& json, const std::string& subject);
double softcapFrom(const nlohmann::json& json, const std::string& subject);

} // namespace attention
