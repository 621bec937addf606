#include "core/pattern/json_values.h"

#include "core/pattern/strokes.h"
#include "core/support/error.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace attention {
namespace {

using Json = nlohmann::json;
using Written = nlohmann::ordered_json;
using json_values::integerFrom;
using json_values::integersFrom;
using json_values::throwType;

bool booleanFrom(const std::string& name, const Json& json) {
  if (!json.is_boolean())
    throwType(name, json, "true or false");
  return json.get<bool>();
}

Stroke::Shape shapeFrom(const std::string& name, const Json& json) {
  if (!json.is_string())
    throwType(name, json, "a name");
  const auto text = json.get<std::string>();
  const auto shape = shapeNamed(text);
  if (!shape)
    throwRange(name, text, "one of " + shapeNames());
  return *shape;
}

SharedList<IndexPlace> placesFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of integers, or a list of such lists");
  std::vector<IndexPlace> places;
  if (!json.empty() && !json.front().is_array()) {
    places.push_back(integersFrom(name, json));
    return places;
  }
  places.reserve(json.size());
  for (const Json& place : json)
    places.push_back(integersFrom(name, place));
  return places;
}

Index periodFrom(const std::string& name, const Json& json) {
  const Index period = integerFrom(name, json);
  if (period < 1)
    throwRange(name, std::to_string(period), "an integer of at least 1");
  return period;
}

[[noreturn]] void throwUnknown(const std::string& key, const std::string& of, const char* allowed) {
  throw Error(ErrorCode::Unknown, key,
              "field \"" + key + "\" of " + of + " is unknown; it must be " + allowed);
}

void readRepeat(Stroke& stroke, const std::string& name, const Json& json) {
  if (json.is_null())
    return;
  if (!json.is_object()) {
    if (!json.is_number())
      throwType(name, json, "a period or {\"period\", \"mirror\"}");
    stroke.period = periodFrom(name, json);
    return;
  }
  for (const auto& [key, value] : json.items()) {
    if (key == "period")
      stroke.period = periodFrom(name + ".period", value);
    else if (key == "mirror")
      stroke.mirror = booleanFrom(name + ".mirror", value);
    else
      throwUnknown(key, name, "period or mirror");
  }
}

Stroke strokeFrom(const std::string& name, const Json& json) {
  constexpr const char* kForm = "an object with \"add\", \"shape\", \"at\" and \"repeat\"";
  if (!json.is_object())
    throwType(name, json, kForm);
  for (const char* needed : {"shape", "at"})
    if (!json.contains(needed))
      throw Error(ErrorCode::Type, name,
                  name + "." + needed + " is missing; every stroke must have a shape and a place");
  Stroke stroke;
  const std::string prefix = name + ".";
  for (const auto& [key, value] : json.items()) {
    const std::string field = prefix + key;
    if (key == "add")
      stroke.add = booleanFrom(field, value);
    else if (key == "shape")
      stroke.shape = shapeFrom(field, value);
    else if (key == "at")
      stroke.at = placesFrom(field, value);
    else if (key == "repeat")
      readRepeat(stroke, field, value);
    else
      throwUnknown(key, name, "add, shape, at or repeat");
  }
  return stroke;
}

Written repeatToJson(const Stroke& stroke) {
  if (!stroke.mirror)
    return stroke.period;
  Written repeat = Written::object();
  if (stroke.period > 0)
    repeat["period"] = stroke.period;
  repeat["mirror"] = true;
  return repeat;
}

Written toJson(const Stroke& stroke) {
  Written json{{"add", stroke.add}, {"shape", name(stroke.shape)}};
  const bool alone = stroke.at.size() == 1 && stroke.shape != Stroke::Shape::Cells;
  json["at"] = alone ? Written(stroke.at[0]) : Written(stroke.at.get());
  if (stroke.mirror || stroke.period != 0)
    json["repeat"] = repeatToJson(stroke);
  return json;
}

} // namespace

StrokeList strokesFromJson(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of strokes");
  std::vector<Stroke> strokes;
  strokes.reserve(json.size());
  for (std::size_t k = 0; k < json.size(); ++k)
    strokes.push_back(strokeFrom(name + "[" + std::to_string(k) + "]", json[k]));
  return strokes;
}

Written strokesToJson(const StrokeList& strokes) {
  Written list = Written::array();
  for (const Stroke& stroke : strokes)
    list.push_back(toJson(stroke));
  return list;
}

} // namespace attention
