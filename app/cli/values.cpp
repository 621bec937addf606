// Values of flags from their text.
#include "app/cli/arguments.h"

#include "core/input/mapped_file.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace attention::cli {
namespace {

[[noreturn]] void throwType(const std::string& subject, std::string_view text,
                            const char* allowed) {
  throw Error(ErrorCode::Type, subject,
              subject + " is " + excerpt(text) + "; it must be " + allowed);
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Items may be separated by commas, spaces or line breaks: all become commas.
std::string commaSeparated(std::string_view text) {
  std::string list;
  bool blank = false;
  for (const char c : trimmed(text)) {
    const bool isNext = blank && c != ',' && !list.empty() && list.back() != ',';
    blank = isBlank(c);
    if (isNext)
      list += ',';
    if (!blank)
      list += c;
  }
  return list;
}

constexpr const char* kPairs = "pairs such as 0-1,2-5, or two numbers per line";

IndexPair pairFromText(const std::string& subject, std::string_view word) {
  const auto dash = word.find('-', 1);
  if (dash == std::string_view::npos)
    throwType(subject, word, kPairs);
  return {integerFromText(subject, word.substr(0, dash)),
          integerFromText(subject, word.substr(dash + 1))};
}

// "34," is a list of one number, where "34" may be a count.
std::string_view withoutLastComma(std::string_view text) {
  return text.substr(0, text.size() - (text.size() > 1 && text.ends_with(',') ? 1 : 0));
}

// 0-1,2-5, or a pair per line, with its numbers separated by a comma or spaces.
PairList pairsFromText(const std::string& subject, std::string_view text) {
  std::vector<IndexPair> pairs;
  if (text.find('-') != text.npos) {
    const std::string list = commaSeparated(text);
    for (const std::string_view word : split(list, ','))
      pairs.push_back(pairFromText(subject, word));
    return pairs;
  }
  for (const std::string_view line : split(trimmed(text), '\n')) {
    const std::vector<Index> numbers = integersFromText(subject, line);
    if (numbers.size() != 2)
      throwType(subject, line, kPairs);
    pairs.emplace_back(numbers[0], numbers[1]);
  }
  return pairs;
}

// 0,1,0-0,0-1: each path's integers with dashes between them.
PathList pathsFromText(const std::string& subject, std::string_view text) {
  std::vector<std::vector<Index>> paths;
  const std::string list = commaSeparated(text);
  for (const std::string_view word : split(list, ',')) {
    std::vector<Index>& path = paths.emplace_back();
    for (const std::string_view turn : split(word, '-'))
      path.push_back(integerFromText(subject, turn));
  }
  return paths;
}

bool looksLikePairs(std::string_view text) {
  return text.find('-') != text.npos && text.find_first_not_of("0123456789-, ") == text.npos;
}

Variables variablesFromText(const std::string& subject, std::string_view text) {
  Variables variables;
  const std::string list = commaSeparated(text);
  for (const std::string_view word : split(list, ',')) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos)
      throwType(subject, word, "names with integers: a=1,b=2");
    variables[std::string(word.substr(0, equals))] =
        integerFromText(subject, word.substr(equals + 1));
  }
  return variables;
}

std::uint64_t seedFromText(const std::string& subject, std::string_view text) {
  constexpr const char* kAllowed = "an integer from 0 to 2^64 − 1";
  if (const auto seed = numberOf<std::uint64_t>(text))
    return *seed;
  if (isWholeNumber(text))
    throwRange(subject, std::string(text), kAllowed);
  throwType(subject, text, kAllowed);
}

bool booleanFromText(const std::string& subject, std::string_view text) {
  if (text == "true")
    return true;
  if (text == "false")
    return false;
  throwType(subject, text, "true or false");
}

TruthList truthsFromText(const std::string& subject, std::string_view text) {
  std::vector<Truth> truths;
  const std::string list = commaSeparated(text);
  for (const std::string_view word : split(list, ','))
    truths.push_back(static_cast<Truth>(booleanFromText(subject, word)));
  return truths;
}

// @file.json holds nested lists; any other file is an array, read where it is needed.
Value matrixFromFile(const std::string& path, const std::string& name) {
  if (endingOf(path) != ".json")
    return MatrixSource{path, {}, {}};
  ParameterFacts matrix;
  matrix.name = name;
  matrix.type = ParameterType::Matrix;
  return valueFromJson(matrix, parseJson(textOfFile(path), name));
}

bool isJson(const ParameterFacts& parameter, const std::string& text) {
  if (parameter.type == ParameterType::Text || text.empty())
    return false;
  return text.front() == '[' || text.front() == '{' || parameter.type == ParameterType::Patterns ||
         parameter.type == ParameterType::Strokes;
}

} // namespace

Index integerFromText(const std::string& subject, std::string_view text) {
  if (const auto x = numberOf<Index>(text))
    return *x;
  if (isWholeNumber(text))
    throwRange(subject, shortened(text, 40), "an integer of at most 64 bits");
  throwType(subject, text, "an integer");
}

double realFromText(const std::string& subject, std::string_view text) {
  if (const auto x = numberOf<double>(text))
    return *x;
  throwType(subject, text, "a number");
}

std::vector<Index> integersFromText(const std::string& subject, std::string_view text) {
  std::vector<Index> list;
  const std::string words = commaSeparated(text);
  for (const std::string_view word : split(words, ','))
    list.push_back(integerFromText(subject, word));
  return list;
}

std::vector<double> realsFromText(const std::string& subject, std::string_view text) {
  std::vector<double> list;
  const std::string words = commaSeparated(text);
  for (const std::string_view word : split(words, ','))
    list.push_back(realFromText(subject, word));
  return list;
}

Value valueFromText(const ParameterFacts& parameter, const std::string& given) {
  const std::string& name = parameter.name;
  if (parameter.type == ParameterType::Matrix && given.size() > 1 && given.front() == '@')
    return matrixFromFile(given.substr(1), name);
  const bool fromFile = !given.empty() && given.front() == '@';
  const bool empty = given.size() == (fromFile ? 1 : 0);
  if (empty && (parameter.type == ParameterType::Mask || parameter.type == ParameterType::Matrix))
    return valueFromJson(parameter, parseJson("\"\"", name)); // says what it must be
  if (parameter.type == ParameterType::Mask && !isJson(parameter, given)) {
    MaskSource mask;
    std::error_code ignored; // a list may be longer than a name
    if (looksLikePairs(given) && !std::filesystem::exists(given, ignored))
      mask.pairs = pairsFromText(name, given);
    else
      mask.file = given.substr(fromFile ? 1 : 0); // its cells are read where it is prepared
    return mask;
  }
  const std::string text = fromFile ? std::string(trimmed(textOfFile(given.substr(1)))) : given;
  if (isJson(parameter, text))
    return valueFromJson(parameter, parseJson(text, name));
  return plainValueFromText(parameter, text);
}

Value plainValueFromText(const ParameterFacts& parameter, const std::string& text) {
  const std::string& name = parameter.name;
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
    return IndexList(integersFromText(name, withoutLastComma(text)));
  case ParameterType::Reals:
    return RealList(realsFromText(name, withoutLastComma(text)));
  case ParameterType::IntegersOrCount:
  case ParameterType::IntegersOrOne:
    if (text.find_first_of(", \t\n") == text.npos && !text.empty())
      return integerFromText(name, text);
    return IndexList(integersFromText(name, withoutLastComma(text)));
  case ParameterType::BooleansOrOne:
    if (text.find_first_of(", \t\n") == text.npos)
      return booleanFromText(name, text);
    return truthsFromText(name, text);
  case ParameterType::Pairs:
    return pairsFromText(name, text);
  case ParameterType::Paths:
    return pathsFromText(name, text);
  case ParameterType::Named:
    return variablesFromText(name, text);
  case ParameterType::Matrix:
    return MatrixSource{text, {}, {}};
  case ParameterType::Pattern: // with parameters it is JSON
    return std::make_shared<const Pattern>(patternNamed(text));
  case ParameterType::Choice:
  case ParameterType::Text:
  case ParameterType::Patterns:
  case ParameterType::Strokes:
  case ParameterType::Mask:
    return text;
  }
  return {};
}

int threadsFrom(const Arguments& arguments) {
  constexpr Index kMostThreads = 1024;
  const Index threads = arguments.integer("threads").value_or(0);
  if (threads < 0 || threads > kMostThreads)
    throwRange("threads", std::to_string(threads),
               "an integer from 0 (all) to " + std::to_string(kMostThreads));
  return static_cast<int>(threads);
}

std::optional<Index> lengthFrom(const Arguments& arguments, std::string_view flag) {
  try {
    return arguments.integer(flag);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Type)
      throw;
    throw Error(ErrorCode::N, error.subject(), std::string(error.what()) + " of at least 1");
  }
}

std::uint64_t seedFrom(const Arguments& arguments, std::string_view flag) {
  return seedFromText(std::string(flag), arguments.text(flag, "0"));
}

} // namespace attention::cli
