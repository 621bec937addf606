// Variants as the command line has them (attnx model loss --variants).
#include "core/model/variant.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>

namespace attention {
namespace {

using nlohmann::json;

void requireObject(const json& value, const std::string& subject,
                   std::initializer_list<std::string_view> names) {
  std::string allowed;
  for (const std::string_view name : names)
    allowed.append(allowed.empty() ? "" : ", ").append(name);
  if (!value.is_object())
    failJsonType(subject, value, "an object with " + allowed);
  for (const auto& [name, ignored] : value.items())
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(ErrorCode::Unknown, subject,
                  subject + " has the field " + excerpt(name) +
                      std::string("; it must be one of ").append(allowed));
}

const json& fieldOf(const json& object, const char* name, const std::string& subject,
                    const std::string& wanted) {
  const auto found = object.find(name);
  if (found == object.end())
    throw Error(ErrorCode::Type, subject, subject + " has no " + name + "; it must be " + wanted);
  return *found;
}

// "all", or a list; of heads those of key/value heads too.
std::optional<std::vector<Index>> placesOf(const json& rule, const char* name, Index count,
                                           const std::string& subject, Index kvHeads = 0) {
  const auto found = rule.find(name);
  if (found == rule.end())
    return std::nullopt;
  const std::string at = subject + "." + name;
  if (!found->is_string())
    failJsonType(at, *found, "\"all\" or a text such as \"0-9,12\"");
  return placesFromText(found->get_ref<const std::string&>(), count, at, kvHeads);
}

// Its errors begin with the place of the pattern.
Pattern patternOfRule(const json& rule, const std::string& subject) {
  const json& pattern = fieldOf(rule, "pattern", subject, "a pattern");
  try {
    return patternFromJson(pattern);
  } catch (const Error& error) {
    const std::string at = subject + ".pattern";
    throw Error(error.code(), at, at + ": " + error.what());
  }
}

Rule ruleFromJson(const json& value, const Model& model, const std::string& subject) {
  requireObject(value, subject, {"layers", "heads", "pattern"});
  return {placesOf(value, "layers", static_cast<Index>(model.layers.size()), subject),
          placesOf(value, "heads", model.heads, subject, model.kvHeads),
          patternOfRule(value, subject)};
}

ModelVariant variantFromJson(const json& value, const Model& model, const std::string& subject) {
  requireObject(value, subject, {"name", "rules"});
  const json& name = fieldOf(value, "name", subject, "a text");
  if (!name.is_string() || name.get_ref<const std::string&>().empty())
    failJsonType(subject + ".name", name, "a text that is not empty");
  const json& rules = fieldOf(value, "rules", subject, "a list");
  if (!rules.is_array())
    failJsonType(subject + ".rules", rules, "a list");
  ModelVariant variant{name.get<std::string>()};
  for (const json& rule : rules)
    variant.rules.push_back(ruleFromJson(
        rule, model, subject + ".rules[" + std::to_string(variant.rules.size()) + "]"));
  return variant;
}

} // namespace

std::vector<ModelVariant> variantsFromJson(const json& list, const Model& model,
                                           const std::string& subject) {
  if (!list.is_array())
    failJsonType(subject, list, "a list of objects with name and rules");
  std::vector<ModelVariant> variants;
  for (const json& value : list) {
    const std::string at = subject + "[" + std::to_string(variants.size()) + "]";
    ModelVariant variant = variantFromJson(value, model, at);
    if (variant.name == kAsItIs)
      throwRange(at + ".name", excerpt(variant.name),
                 "another name; this one is the model with its own masks");
    if (std::any_of(variants.begin(), variants.end(),
                    [&](const ModelVariant& other) { return other.name == variant.name; }))
      throwRange(at + ".name", excerpt(variant.name),
                 "different from the names of earlier variants");
    variants.push_back(std::move(variant));
  }
  return variants;
}

nlohmann::ordered_json toJson(std::span<const ModelVariant> variants) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ModelVariant& variant : variants) {
    nlohmann::ordered_json rules = nlohmann::ordered_json::array();
    for (const Rule& rule : variant.rules)
      rules.push_back({{"layers", placesText(rule.layers)},
                       {"heads", placesText(rule.heads)},
                       {"pattern", toJson(rule.pattern)}});
    all.push_back({{"name", variant.name}, {"rules", std::move(rules)}});
  }
  return all;
}

} // namespace attention
