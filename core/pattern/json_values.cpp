#include "core/pattern/json_values.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace attention::json_values {

using Json = nlohmann::json;

void throwType(const std::string& name, const Json& found, const char* allowed) {
  const std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw Error(ErrorCode::Type, name,
              name + " is " + shortened(text, 40) + "; it must be " + allowed);
}

bool hasMoreThan64Bits(const Json& json) {
  return json.is_number_float() && std::abs(json.get<double>()) >= 0x1p63;
}

Index integerFrom(const std::string& name, const Json& json) {
  if (hasMoreThan64Bits(json))
    throwRange(name, json.dump(), "an integer of at most 64 bits");
  if (!json.is_number_integer())
    throwType(name, json, "an integer");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    throwRange(name, json.dump(), "an integer below 2^63");
  return json.get<Index>();
}

std::vector<Index> integersFrom(const std::string& name, const Json& json) {
  if (!json.is_array())
    throwType(name, json, "a list of integers");
  std::vector<Index> list;
  list.reserve(json.size());
  for (const Json& item : json)
    list.push_back(integerFrom(name, item));
  return list;
}

} // namespace attention::json_values
