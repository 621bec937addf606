// Values of flags from their text.
#include "app/cli/arguments.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace attention::cli {
namespace {

[[noreturn]] void throwType(const std::string& subject, std::string_view text,
                            const char* allowed) {
  throw Error(ErrorCode::Type, subject,
              subject + " is \"" + std::string(text) + "\"; allowed is " + allowed);
}

template <class T>
std::optional<T> number(std::string_view text) {
  T x{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return x;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos)
      break;
    text.remove_prefix(at + 1);
    if (text.empty())
      parts.emplace_back();
  }
  return parts;
}

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && blank(text.back()))
    text.pop_back();
  while (!text.empty() && blank(text.front()))
    text.erase(text.begin());
  return text;
}

PairList pairsFromText(const std::string& subject, std::string_view text) {
  std::vector<IndexPair> pairs;
  for (const std::string& word : split(text, ',')) {
    const auto dash = word.find('-', 1);
    if (dash == std::string::npos)
      throwType(subject, word, "pairs such as 0-1,2-5");
    pairs.emplace_back(integerFromText(subject, word.substr(0, dash)),
                       integerFromText(subject, word.substr(dash + 1)));
  }
  return pairs;
}

Variables variablesFromText(const std::string& subject, std::string_view text) {
  Variables variables;
  for (const std::string& word : split(text, ',')) {
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      throwType(subject, word, "names with integers: a=1,b=2");
    variables[word.substr(0, equals)] = integerFromText(subject, word.substr(equals + 1));
  }
  return variables;
}

Value seedFromText(const std::string& subject, std::string_view text) {
  if (const auto seed = number<std::uint64_t>(text))
    return *seed;
  if (const auto negative = number<Index>(text))
    return *negative; // refused by the parameter
  throwType(subject, text, "an integer from 0 to 2^64 − 1");
}

bool booleanFromText(const std::string& subject, std::string_view text) {
  if (text == "true")
    return true;
  if (text == "false")
    return false;
  throwType(subject, text, "true or false");
}

// @file.json holds nested lists; any other file is an array, read where it is needed.
Value matrixFromFile(const std::string& path, const std::string& name) {
  if (path.size() < 5 || path.substr(path.size() - 5) != ".json")
    return MatrixSource{path, {}, {}};
  Parameter matrix;
  matrix.name = name;
  matrix.type = ParameterType::Matrix;
  return valueFromJson(matrix, parseJson(textOfFile(path), name));
}

bool isJson(const Parameter& parameter, const std::string& text) {
  if (parameter.type == ParameterType::Text || text.empty())
    return false;
  return text.front() == '[' || text.front() == '{' || parameter.type == ParameterType::Patterns;
}

} // namespace

std::string textOfFile(const std::string& path) {
  // Opening a pipe waits for its writer, and a device may never end.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw Error(ErrorCode::Io, path, "cannot read " + path + ": allowed is a regular file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error(ErrorCode::Io, path,
                "cannot read " + path + ": it is missing, empty or unreadable");
  return text.str();
}

Index integerFromText(const std::string& subject, std::string_view text) {
  if (const auto x = number<Index>(text))
    return *x;
  throwType(subject, text, "an integer");
}

double realFromText(const std::string& subject, std::string_view text) {
  if (const auto x = number<double>(text))
    return *x;
  throwType(subject, text, "a number");
}

std::vector<Index> integersFromText(const std::string& subject, std::string_view text) {
  std::vector<Index> list;
  for (const std::string& word : split(text, ','))
    list.push_back(integerFromText(subject, word));
  return list;
}

Value valueFromText(const Parameter& parameter, const std::string& given) {
  const std::string& name = parameter.name;
  if (parameter.type == ParameterType::Matrix && given.size() > 1 && given.front() == '@')
    return matrixFromFile(given.substr(1), name);
  const bool fromFile = !given.empty() && given.front() == '@';
  const bool isText = fromFile && parameter.type != ParameterType::Mask; // else preparing reads it
  const std::string text = isText ? trimmed(textOfFile(given.substr(1))) : given;
  if (isJson(parameter, text))
    return valueFromJson(parameter, parseJson(text, name));
  switch (parameter.type) {
  case ParameterType::Integer:
    return integerFromText(name, text);
  case ParameterType::Seed:
    return seedFromText(name, text);
  case ParameterType::Real:
    return realFromText(name, text);
  case ParameterType::Boolean:
    return booleanFromText(name, text);
  case ParameterType::Integers:
    return IndexList(integersFromText(name, text));
  case ParameterType::IntegersOrCount:
    if (text.find(',') == std::string::npos && !text.empty())
      return integerFromText(name, text);
    return IndexList(integersFromText(name, text));
  case ParameterType::Pairs:
    return pairsFromText(name, text);
  case ParameterType::Named:
    return variablesFromText(name, text);
  case ParameterType::Mask: {
    MaskSource mask;
    mask.file = given.substr(fromFile ? 1 : 0);
    return mask;
  }
  case ParameterType::Matrix:
    return MatrixSource{text, {}, {}};
  case ParameterType::Choice:
  case ParameterType::Text:
  case ParameterType::Patterns:
    return text;
  }
  return {};
}

} // namespace attention::cli
