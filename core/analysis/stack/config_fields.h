// The fields of a transformers config.json, each with a check of its type. Whatever is absent may
// have a default of the library.
#pragma once

#include "core/support/integers.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace attention {

class ConfigFields {
public:
  // `config` must outlive it. The object text_config, where there is one, stands for the whole,
  // with the outer model_type if it has none. E_TYPE where `config` is no object.
  explicit ConfigFields(const nlohmann::json& config);

  const std::string& model() const { return model_; } // model_type; E_TYPE where it is missing

  bool has(const char* name) const { return fields_->contains(name); } // null counts
  const nlohmann::json& at(const char* name) const;                    // null where it is absent

  // The fields of an object among them, which may be absent. E_TYPE where it is something else.
  ConfigFields within(const char* name) const;

  // E_TYPE where the field is neither absent, null nor an integer.
  std::optional<Index> integer(const char* name) const;
  // `fallback` where the field is absent; nothing where it is null.
  std::optional<Index> integer(const char* name, Index fallback) const;
  // A length or a number of things, at least 1; nothing where it is absent or null. E_TYPE,
  // E_RANGE.
  std::optional<Index> size(const char* name) const;
  // `fallback` where it is absent.
  std::optional<Index> size(const char* name, Index fallback) const;
  // An integer of at least 1. E_RANGE; E_TYPE also where it is null.
  Index positive(const char* name, Index fallback) const;
  // A finite number; nothing where the field is absent or null. E_TYPE.
  std::optional<double> number(const char* name) const;
  // A text likewise.
  std::optional<std::string> text(const char* name) const;
  // A list. E_TYPE.
  const nlohmann::json& list(const char* name) const;
  // As Python reads it: absent, null, false, 0 and what is empty are false.
  bool isTrue(const char* name) const;

private:
  ConfigFields(const nlohmann::json& fields, std::string model)
      : fields_(&fields), model_(std::move(model)) {}

  const nlohmann::json* fields_;
  std::string model_;
};

// Whether a model_type is among those, which spaces separate.
bool isAmong(std::string_view models, std::string_view model);

// Whether Python counts the value as true.
bool isTrueInPython(const nlohmann::json& value);

} // namespace attention
