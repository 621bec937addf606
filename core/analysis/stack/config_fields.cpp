#include "core/analysis/stack/config_fields.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

using Json = nlohmann::json;

const Json kNull;

[[noreturn]] void throwType(const std::string& name, const Json& found, const char* allowed) {
  throw Error(ErrorCode::Type, name,
              name + " is " + shortened(found.dump(), 48) + "; it must be " + allowed);
}

const Json& textPart(const Json& config) {
  if (!config.is_object())
    throwType("the configuration", config, "an object, as in a config.json");
  const auto inner = config.find("text_config");
  return inner != config.end() && inner->is_object() ? *inner : config;
}

} // namespace

bool isAmong(std::string_view models, std::string_view model) {
  const std::vector<std::string_view> all = split(models, ' ');
  return std::find(all.begin(), all.end(), model) != all.end();
}

bool isTrueInPython(const Json& value) {
  if (value.is_boolean())
    return value.get<bool>();
  if (value.is_number())
    return value.get<double>() != 0;
  if (value.is_string())
    return !value.get_ref<const std::string&>().empty();
  return !value.empty();
}

ConfigFields::ConfigFields(const Json& config) : fields_(&textPart(config)) {
  const Json& model = has("model_type")               ? at("model_type")
                      : config.contains("model_type") ? config["model_type"]
                                                      : kNull;
  if (!model.is_string())
    throw Error(ErrorCode::Type, "model_type",
                "model_type is " + (model.is_null() ? "missing" : shortened(model.dump(), 48)) +
                    "; it must be a text, as in \"gemma3_text\"");
  model_ = model.get<std::string>();
}

const Json& ConfigFields::at(const char* name) const {
  const auto found = fields_->find(name);
  return found == fields_->end() ? kNull : *found;
}

ConfigFields ConfigFields::within(const char* name) const {
  static const Json kNone = Json::object();
  const Json& object = at(name);
  if (!object.is_null() && !object.is_object())
    throwType(name, object, "an object");
  return {object.is_null() ? kNone : object, model_};
}

std::optional<Index> ConfigFields::integer(const char* name) const {
  const Json& value = at(name);
  if (value.is_null())
    return std::nullopt;
  if (!value.is_number_integer())
    throwType(name, value, "an integer");
  return value.get<Index>();
}

std::optional<Index> ConfigFields::integer(const char* name, Index fallback) const {
  return has(name) ? integer(name) : fallback;
}

std::optional<Index> ConfigFields::size(const char* name) const {
  const std::optional<Index> value = integer(name);
  if (value && *value < 1)
    throwRange(name, std::to_string(*value), "an integer of at least 1");
  return value;
}

std::optional<Index> ConfigFields::size(const char* name, Index fallback) const {
  return has(name) ? size(name) : fallback;
}

Index ConfigFields::positive(const char* name, Index fallback) const {
  const std::optional<Index> value = size(name, fallback);
  if (!value)
    throwType(name, kNull, "an integer of at least 1");
  return *value;
}

std::optional<double> ConfigFields::number(const char* name) const {
  const Json& value = at(name);
  if (value.is_null())
    return std::nullopt;
  if (!value.is_number())
    throwType(name, value, "a number");
  return value.get<double>();
}

std::optional<std::string> ConfigFields::text(const char* name) const {
  const Json& value = at(name);
  if (value.is_null())
    return std::nullopt;
  if (!value.is_string())
    throwType(name, value, "a text");
  return value.get<std::string>();
}

const Json& ConfigFields::list(const char* name) const {
  const Json& value = at(name);
  if (!value.is_array())
    throwType(name, value, "a list");
  return value;
}

bool ConfigFields::isTrue(const char* name) const {
  return isTrueInPython(at(name));
}

} // namespace attention
