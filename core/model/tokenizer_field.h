// A value of a tokenizer.json with its name, for reading it and for errors about it.
#pragma once

#include "core/support/integers.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

class TokenizerField {
public:
  // `value` must outlive it; `name` is "tokenizer.json: model".
  TokenizerField(const nlohmann::json& value, std::string name);

  const nlohmann::json& value() const { return *value_; }
  const std::string& name() const { return name_; }
  bool isNull() const { return value_->is_null(); }

  // A member of an object; null where it is absent. E_TYPE: this is no object.
  TokenizerField at(const char* member) const;
  bool has(const char* member) const; // null counts as absent
  // The items of a list. E_TYPE.
  std::vector<TokenizerField> items() const;

  // E_TYPE where the value is no such thing. With a fallback: it may be absent or null.
  std::string text() const;
  std::string text(std::string_view fallback) const;
  bool boolean() const;
  bool boolean(bool fallback) const;
  Index integer() const; // E_RANGE: beyond 2^53
  double real() const;

  // E_UNSUPPORTED: "`name` is `found`, …; it must be `wanted`".
  [[noreturn]] void refuse(const std::string& found, const std::string& wanted) const;
  [[noreturn]] void fail(const std::string& wanted) const; // E_TYPE

private:
  const nlohmann::json* value_;
  std::string name_;
};

} // namespace attention
