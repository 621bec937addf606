#include "core/input/score_modifiers.h"

#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

using nlohmann::json;

std::string found(const json& value) {
  if (value.is_string())
    return excerpt(value.get<std::string>());
  constexpr std::size_t kLongest = 40; // letters
  return shortened(value.dump(-1, ' ', false, json::error_handler_t::replace), kLongest);
}

[[noreturn]] void fail(ErrorCode code, const std::string& subject, const json& value,
                       const std::string& wanted) {
  throw Error(code, subject, subject + " is " + found(value) + "; it must be " + wanted);
}

void checkOrder(const json& order, const std::string& subject) {
  std::vector<std::string> names;
  if (!order.is_array())
    fail(ErrorCode::Type, subject, order, "a list of softcap and bias");
  for (const json& name : order)
    names.push_back(name.is_string() ? name.get<std::string>() : "");
  std::sort(names.begin(), names.end());
  const bool once = std::adjacent_find(names.begin(), names.end()) == names.end();
  const bool known = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "softcap" || name == "bias";
  });
  if (!once || !known)
    fail(ErrorCode::Range, subject, order, "each of softcap and bias at most once");
}

// Whether it changes no score.
bool isNeutral(const std::string& name, const json& value) {
  return value.is_null() || (name == "temperature" && value.is_number() && value == 1);
}

} // namespace

double scaleFrom(const json& value, const std::string& subject) {
  if (!value.is_number())
    fail(ErrorCode::Type, subject, value, "a number");
  const auto number = value.get<double>();
  if (!(std::abs(number) <= 1e300))
    throw Error(ErrorCode::NonFinite, subject,
                subject + " is " + found(value) + "; it must be a finite number");
  return number;
}

double softcapFrom(const json& value, const std::string& subject) {
  const double cap = scaleFrom(value, subject);
  if (!(cap > 0))
    fail(ErrorCode::Range, subject, value, "a number above 0");
  return cap;
}

ScoreModifiers scoreModifiers(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 3> kNotYet{"bias", "temperature", "sink"};
  if (!object.is_object())
    fail(ErrorCode::Type, subject, object, "an object such as {\"scale\": 0.125, \"softcap\": 50}");
  ScoreModifiers modifiers;
  for (const auto& [name, value] : object.items()) {
    const std::string at = subject + "." + printableLabel(name);
    if (name == "scale")
      modifiers.scale = scaleFrom(value, at);
    else if (name == "softcap" && !value.is_null())
      modifiers.softcap = softcapFrom(value, at);
    else if (name == "order")
      checkOrder(value, at);
    else if (std::find(kNotYet.begin(), kNotYet.end(), name) != kNotYet.end()) {
      if (!isNeutral(name, value))
        throw Error(ErrorCode::Unsupported, at,
                    at + " changes the scores in a way that this version does not compute; "
                         "modifiers must be scale and softcap");
    } else if (name != "softcap")
      throw Error(ErrorCode::Unknown, at,
                  at + " is not a modifier of scores; it must be one of scale, softcap, bias, "
                       "temperature, sink and order");
  }
  return modifiers;
}

} // namespace attention
