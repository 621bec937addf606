// JSON from files and users: parsed with a limit on nesting and an error for repeated keys, so that
// hostile text ends in one sentence instead of a stack overflow or a lost field.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace attention {

constexpr int kMaxJsonDepth = 64; // command line contract, 'Limits'

// The value of `text`; `subject` names the file or field in errors. E_TYPE: not JSON, a key twice
// in one object, nested deeper than 64, a number beyond float64. Cost O(length).
nlohmann::json parseJson(std::string_view text, const std::string& subject);

// How messages show a value: a text in quotes, and at most 40 characters of anything else.
std::string jsonExcerpt(const nlohmann::json& value);

// "`subject` is `found`; it must be `wanted`", E_TYPE.
[[noreturn]] void failJsonType(const std::string& subject, const nlohmann::json& found,
                               const std::string& wanted);

} // namespace attention
