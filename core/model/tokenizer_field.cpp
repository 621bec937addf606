#include "core/model/tokenizer_field.h"

#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <cstdint>
#include <utility>

namespace attention {
namespace {

const nlohmann::json kAbsent;
constexpr Index kLargestInteger = Index{1} << 53;

} // namespace

TokenizerField::TokenizerField(const nlohmann::json& value, std::string name)
    : value_(&value), name_(std::move(name)) {}

TokenizerField TokenizerField::at(const char* member) const {
  if (!value_->is_object())
    fail("an object");
  const auto found = value_->find(member);
  return {found == value_->end() ? kAbsent : *found,
          name_ + (name_.ends_with(':') ? " " : ".") + member};
}

bool TokenizerField::has(const char* member) const {
  return !at(member).isNull();
}

std::vector<TokenizerField> TokenizerField::items() const {
  if (!value_->is_array())
    fail("a list");
  std::vector<TokenizerField> items;
  items.reserve(value_->size());
  for (const nlohmann::json& item : *value_)
    items.emplace_back(item, name_ + "[" + std::to_string(items.size()) + "]");
  return items;
}

std::string TokenizerField::text() const {
  if (!value_->is_string())
    fail("a text");
  return value_->get<std::string>();
}

std::string TokenizerField::text(std::string_view fallback) const {
  return isNull() ? std::string(fallback) : text();
}

bool TokenizerField::boolean() const {
  if (!value_->is_boolean())
    fail("true or false");
  return value_->get<bool>();
}

bool TokenizerField::boolean(bool fallback) const {
  return isNull() ? fallback : boolean();
}

Index TokenizerField::integer() const {
  if (!value_->is_number_integer())
    fail("an integer");
  if (value_->is_number_unsigned() &&
      value_->get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestInteger))
    throwRange(name_, value_->dump(), "an integer of at most 2^53");
  return value_->get<Index>();
}

double TokenizerField::real() const {
  if (!value_->is_number())
    fail("a number");
  return value_->get<double>();
}

void TokenizerField::refuse(const std::string& found, const std::string& wanted) const {
  throw Error(ErrorCode::Unsupported, name_,
              name_ + " is " + found + ", which this program does not know; it must be " + wanted);
}

void TokenizerField::fail(const std::string& wanted) const {
  failJsonType(name_, *value_, wanted);
}

} // namespace attention
