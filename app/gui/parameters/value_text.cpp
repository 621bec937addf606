#include "app/gui/parameters/draft_field.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

// "0-1" of "0 - 1".
std::string withoutBlanksAtDashes(std::string_view word) {
  std::string joined;
  for (const std::string_view half : split(word, '-'))
    joined.append(joined.empty() && half.data() == word.data() ? "" : "-").append(trimmed(half));
  return joined;
}

// A list as the command line has it: people leave commas at its end, and blanks around dashes.
std::string tidied(ParameterType type, std::string_view typed) {
  const bool dashed = type == ParameterType::Pairs || type == ParameterType::Paths;
  const bool orOne = type == ParameterType::IntegersOrOne || type == ParameterType::BooleansOrOne;
  std::string list;
  bool one = true;
  for (const std::string_view piece : split(typed, ',')) {
    if (trimmed(piece).empty())
      continue;
    one = list.empty();
    list += one ? "" : ",";
    list += dashed ? withoutBlanksAtDashes(piece) : std::string(trimmed(piece));
  }
  if (orOne && one && typed.find(',') != typed.npos)
    list += ','; // a list of one
  return list;
}

bool isList(ParameterType type) {
  switch (type) {
  case ParameterType::Integers:
  case ParameterType::Reals:
  case ParameterType::IntegersOrOne:
  case ParameterType::BooleansOrOne:
  case ParameterType::Pairs:
  case ParameterType::Paths:
  case ParameterType::Named:
    return true;
  default:
    return false;
  }
}

// A number alone is a token: how many there are from the first is "first 4".
Value tokensFrom(const ParameterFacts& p, const std::string& typed) {
  constexpr std::string_view kFirst = "first ";
  try {
    if (typed.starts_with(kFirst))
      return integerFromText(p.name, trimmed(std::string_view(typed).substr(kFirst.size())));
    return IndexList(integersFromText(p.name, tidied(p.type, typed)));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Type)
      throw;
    throw Error(ErrorCode::Type, p.name,
                p.name + " is " + excerpt(typed) +
                    "; it must be a list of integers such as 0, 5, 9, or how many from the first: "
                    "first 4");
  }
}

} // namespace

Value valueOf(const ParameterFacts& p, const std::string& text) {
  const std::string typed(trimmed(text));
  if (p.type == ParameterType::Text)
    return text;
  if (typed.empty())
    return {};
  if (p.type == ParameterType::Matrix && typed.front() == '[')
    return valueFromJson(p, parseJson(typed, p.name));
  if (p.type == ParameterType::IntegersOrCount)
    return tokensFrom(p, typed);
  return valueFromText(p, isList(p.type) ? tidied(p.type, typed) : typed);
}

} // namespace attention::gui
