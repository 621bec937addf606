#include "core/attention/bias/bias_json.h"

#include "core/attention/modifiers_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace attention {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> kSides{"distance", "signed", "column"};

std::vector<double> numbersFrom(const json& list, const std::string& subject) {
  if (!list.is_array())
    failJsonType(subject, list, "a list of numbers");
  std::vector<double> numbers;
  for (std::size_t k = 0; k < list.size(); ++k)
    numbers.push_back(numberFrom(list[k], subject + "[" + std::to_string(k) + "]"));
  return numbers;
}

std::string textFrom(const json& value, const std::string& subject) {
  if (!value.is_string())
    failJsonType(subject, value, "a text");
  return value.get<std::string>();
}

[[noreturn]] void failUnknown(const std::string& subject, std::span<const std::string_view> names) {
  std::string all = "kind";
  for (const std::string_view known : names)
    all.append(known == names.back() ? " and " : ", ").append(known);
  throw Error(ErrorCode::Unknown, subject,
              subject + " is not a parameter of this bias; it must be one of " + all);
}

void requireNames(const json& object, std::span<const std::string_view> names,
                  const std::string& subject) {
  const auto unknown = [&](const std::string& name) {
    return name != "kind" && std::find(names.begin(), names.end(), name) == names.end();
  };
  for (const auto& [name, value] : object.items())
    if (unknown(name))
      failUnknown(subject + "." + printableLabel(name), names);
}

const json& tableOf(const json& object, ErrorCode without, const std::string& wanted,
                    const std::string& subject) {
  const auto table = object.find("table");
  if (table == object.end() || table->is_null() || (table->is_array() && table->empty()))
    throw Error(without, subject + ".table",
                subject + ".table is " + (table == object.end() ? "missing" : jsonExcerpt(*table)) +
                    "; it must be " + wanted);
  return *table;
}

AlibiSlopes slopesNamed(const std::string& name, const std::string& subject) {
  if (name != "standard" && name != "plain")
    throwRange(subject, excerpt(name), "standard, plain, a number or a list of numbers");
  return alibiSlopesNamed(name);
}

AlibiBias alibiFrom(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 2> kNames{"slopes", "side"};
  requireNames(object, kNames, subject);
  AlibiBias alibi;
  if (const auto slopes = object.find("slopes"); slopes != object.end()) {
    if (slopes->is_string())
      alibi.slopes = slopesNamed(slopes->get<std::string>(), subject + ".slopes");
    else
      alibi.slopes = headNumbersFrom(*slopes, subject + ".slopes");
  }
  if (const auto side = object.find("side"); side != object.end())
    alibi.side = alibiSideNamed(textFrom(*side, subject + ".side"), subject + ".side");
  return alibi;
}

T5Bias t5From(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 3> kNames{"table", "bidirectional", "max_distance"};
  requireNames(object, kNames, subject);
  T5Bias t5;
  const json& table =
      tableOf(object, ErrorCode::Type, "a list of rows, one for each bucket", subject);
  if (!table.is_array())
    failJsonType(subject + ".table", table, "a list of rows, one for each bucket");
  for (std::size_t row = 0; row < table.size(); ++row)
    t5.table.push_back(numbersFrom(table[row], subject + ".table[" + std::to_string(row) + "]"));
  if (const auto both = object.find("bidirectional"); both != object.end()) {
    if (!both->is_boolean())
      failJsonType(subject + ".bidirectional", *both, "true or false");
    t5.bidirectional = both->get<bool>();
  }
  if (const auto most = object.find("max_distance"); most != object.end()) {
    if (!most->is_number_integer())
      failJsonType(subject + ".max_distance", *most, "an integer");
    t5.maxDistance = most->get<Index>();
  }
  return t5;
}

RelativeBias relativeFrom(const json& object, const std::string& subject) {
  static constexpr std::array<std::string_view, 1> kNames{"table"};
  requireNames(object, kNames, subject);
  return {numbersFrom(tableOf(object, ErrorCode::Shape, "a list of 2R + 1 numbers", subject),
                      subject + ".table")};
}

struct BiasJson {
  json operator()(std::monostate) const { return nullptr; }
  json operator()(const AlibiBias& alibi) const {
    json object{{"kind", "alibi"}, {"side", kSides[static_cast<std::size_t>(alibi.side)]}};
    if (const auto* kind = std::get_if<AlibiSlopes>(&alibi.slopes))
      object["slopes"] = *kind == AlibiSlopes::Standard ? "standard" : "plain";
    else
      object["slopes"] = toJson(std::get<HeadNumbers>(alibi.slopes));
    return object;
  }
  json operator()(const T5Bias& t5) const {
    return {{"kind", "t5"},
            {"table", t5.table},
            {"bidirectional", t5.bidirectional},
            {"max_distance", t5.maxDistance}};
  }
  json operator()(const RelativeBias& relative) const {
    return {{"kind", "relative"}, {"table", relative.table}};
  }
};

} // namespace

AlibiSide alibiSideNamed(const std::string& name, const std::string& subject) {
  const auto found = std::find(kSides.begin(), kSides.end(), name);
  if (found == kSides.end())
    throwRange(subject, excerpt(name), "distance, signed or column");
  return static_cast<AlibiSide>(found - kSides.begin());
}

ScoreBiasSpec biasFrom(const json& object, const std::string& subject) {
  if (!object.is_object())
    failJsonType(subject, object, "an object such as {\"kind\": \"alibi\"}");
  const auto kind = object.find("kind");
  if (kind == object.end() || !kind->is_string())
    throw Error(ErrorCode::Type, subject + ".kind",
                subject + ".kind is " + (kind == object.end() ? "missing" : jsonExcerpt(*kind)) +
                    "; it must be alibi, t5 or relative");
  if (*kind == "alibi")
    return alibiFrom(object, subject);
  if (*kind == "t5")
    return t5From(object, subject);
  if (*kind == "relative")
    return relativeFrom(object, subject);
  throw Error(ErrorCode::Unknown, subject + ".kind",
              subject + ".kind is " + jsonExcerpt(*kind) + "; it must be alibi, t5 or relative");
}

json toJson(const ScoreBiasSpec& bias) {
  return std::visit(BiasJson{}, bias);
}

HeadNumbers headNumbersFrom(const json& value, const std::string& subject) {
  if (value.is_array())
    return {numbersFrom(value, subject), false};
  return {{numberFrom(value, subject)}, true};
}

json toJson(const HeadNumbers& numbers) {
  return numbers.all ? json(numbers.values.front()) : json(numbers.values);
}

} // namespace attention
