#include "core/attention/modifiers_json.h"

#include "core/attention/bias/bias_json.h"
#include "core/attention/number_checks.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace attention {
namespace {

using nlohmann::json;

// Whether the bias comes first. A permutation of softcap and bias, also where only one of them is
// there.
bool biasFirst(const json& order, const std::string& subject) {
  if (!order.is_array())
    failJsonType(subject, order, "a list of softcap and bias");
  std::vector<std::string> names;
  for (const json& name : order)
    names.push_back(name.is_string() ? name.get<std::string>() : "");
  const bool first = !names.empty() && names.front() == "bias";
  std::sort(names.begin(), names.end());
  if (names != std::vector<std::string>{"bias", "softcap"})
    throwRange(subject, jsonExcerpt(order), "a list of softcap and bias, each of them once");
  return first;
}

void requireKnown(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 6> kNames{"scale",       "softcap", "bias",
                                                          "temperature", "sink",    "order"};
  for (const auto& [name, value] : object.items())
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) {
      const std::string at = subject + "." + printableLabel(name);
      throw Error(ErrorCode::Unknown, at,
                  at + " is not a modifier of scores; it must be one of scale, softcap, bias, "
                       "temperature, sink and order");
    }
}

} // namespace

double numberFrom(const json& value, const std::string& subject) {
  if (!value.is_number())
    failJsonType(subject, value, "a number");
  const auto number = value.get<double>();
  requireFinite(number, subject);
  return number;
}

double positiveFrom(const json& value, const std::string& subject) {
  const double number = numberFrom(value, subject);
  requirePositive(number, subject);
  return number;
}

ScoreModifiers scoreModifiers(const json& object, const std::string& subject) {
  if (!object.is_object())
    failJsonType(subject, object, "an object such as {\"scale\": 0.125, \"softcap\": 50}");
  requireKnown(object, subject);
  ScoreModifiers modifiers;
  const auto at = [&](const char* name, const auto& read) {
    const auto found = object.find(name);
    if (found != object.end() && !found->is_null())
      read(*found, subject + "." + name);
  };
  at("scale",
     [&](const json& x, const std::string& name) { modifiers.scale = numberFrom(x, name); });
  at("softcap",
     [&](const json& x, const std::string& name) { modifiers.softcap = positiveFrom(x, name); });
  at("temperature", [&](const json& x, const std::string& name) {
    modifiers.temperature = positiveFrom(x, name);
  });
  if (const auto order = object.find("order"); order != object.end())
    modifiers.biasFirst = biasFirst(*order, subject + ".order");
  at("sink",
     [&](const json& x, const std::string& name) { modifiers.sink = headNumbersFrom(x, name); });
  at("bias", [&](const json& x, const std::string& name) { modifiers.bias = biasFrom(x, name); });
  return modifiers;
}

json toJson(const ScoreModifiers& modifiers) {
  json object = json::object();
  if (modifiers.scale)
    object["scale"] = *modifiers.scale;
  if (modifiers.softcap)
    object["softcap"] = *modifiers.softcap;
  if (modifiers.hasBias())
    object["bias"] = toJson(modifiers.bias);
  if (modifiers.temperature != 1)
    object["temperature"] = modifiers.temperature;
  if (modifiers.sink)
    object["sink"] = toJson(*modifiers.sink);
  if (modifiers.biasFirst)
    object["order"] = {"bias", "softcap"};
  return object;
}

} // namespace attention
