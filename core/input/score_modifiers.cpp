#include "core/input/score_modifiers.h"

#include "core/input/metadata_text.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

using nlohmann::json;

// A permutation of softcap and bias (T8), also where only one of them is there.
void checkOrder(const json& order, const std::string& subject) {
  if (!order.is_array())
    failMetadataType(subject, order, "a list of softcap and bias");
  std::vector<std::string> names;
  for (const json& name : order)
    names.push_back(name.is_string() ? name.get<std::string>() : "");
  std::sort(names.begin(), names.end());
  if (names != std::vector<std::string>{"bias", "softcap"})
    throwRange(subject, jsonExcerpt(order), "a list of softcap and bias, each of them once");
}

// A modifier that is not computed must not change any score. T8's checks of its values come first.
void requireNeutral(const std::string& name, const json& value, const std::string& subject) {
  if (value.is_null())
    return;
  if (name == "temperature" && scaleFrom(value, subject) <= 0)
    throwRange(subject, jsonExcerpt(value), "a number above 0");
  if (name == "bias" && !value.is_object())
    failMetadataType(subject, value, "an object such as {\"kind\": \"alibi\"}");
  if (name == "sink" && !value.is_array())
    scaleFrom(value, subject);
  if (name == "sink" && value.is_array())
    for (std::size_t head = 0; head < value.size(); ++head)
      scaleFrom(value[head], subject + "[" + std::to_string(head) + "]");
  if (name != "temperature" || value != 1)
    throw Error(ErrorCode::Unsupported, subject,
                subject + " changes the scores in a way that this version does not compute; "
                          "modifiers must be scale and softcap");
}

} // namespace

double scaleFrom(const json& value, const std::string& subject) {
  if (!value.is_number())
    failMetadataType(subject, value, "a number");
  const auto number = value.get<double>();
  if (!std::isfinite(number))
    throw Error(ErrorCode::NonFinite, subject,
                subject + " is " + shortest(number) + "; it must be a finite number");
  return number;
}

double softcapFrom(const json& value, const std::string& subject) {
  const double cap = scaleFrom(value, subject);
  if (!(cap > 0))
    throwRange(subject, jsonExcerpt(value), "a number above 0");
  return cap;
}

ScoreModifiers scoreModifiers(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 3> kNotYet{"bias", "temperature", "sink"};
  if (!object.is_object())
    failMetadataType(subject, object, "an object such as {\"scale\": 0.125, \"softcap\": 50}");
  ScoreModifiers modifiers;
  for (const auto& [name, value] : object.items()) {
    const std::string at = subject + "." + printableLabel(name);
    if (name == "scale")
      modifiers.scale = scaleFrom(value, at);
    else if (name == "softcap" && !value.is_null())
      modifiers.softcap = softcapFrom(value, at);
    else if (name == "order")
      checkOrder(value, at);
    else if (std::find(kNotYet.begin(), kNotYet.end(), name) != kNotYet.end())
      requireNeutral(name, value, at);
    else if (name != "softcap")
      throw Error(ErrorCode::Unknown, at,
                  at + " is not a modifier of scores; it must be one of scale, softcap, bias, "
                       "temperature, sink and order");
  }
  return modifiers;
}

} // namespace attention
