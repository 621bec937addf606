// Values of flags from their text.
#include "app/cli/arguments.h"

#include "core/input/mapped_file.h"
#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/names.h"
#include "core/support/text.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace attention::cli {
namespace {

constexpr std::size_t kLongestShown = 48; // bytes of a wrong choice

bool looksLikePairs(std::string_view text) {
  return text.find('-') != text.npos && text.find_first_not_of("0123456789-, ") == text.npos;
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

// "light|dark" lists all choices; "JSON|@FILE" does not.
bool listsChoices(const std::string& value) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-|";
  return value.find('|') != value.npos && value.find_first_not_of(kLetters) == value.npos;
}

// "light, dark or page".
std::string eitherOf(std::span<const std::string> choices) {
  std::string words = choices.front();
  for (std::size_t k = 1; k < choices.size(); ++k)
    words += (k + 1 == choices.size() ? " or " : ", ") + choices[k];
  return words;
}

void requireAtLeast(const std::string& flag, Index number, Index least) {
  if (number < least)
    throwRange(flag, std::to_string(number), "an integer of at least " + std::to_string(least));
}

} // namespace

std::vector<std::string> Flag::allChoices() const {
  std::vector<std::string> all;
  if (choices.empty() && listsChoices(value))
    for (const std::string_view choice : split(value, '|'))
      all.emplace_back(choice);
  return all;
}

Flag checkedBy(FlagCheck check, Flag flag) {
  flag.check = check;
  return flag;
}

Flag calledInCore(const char* name, Flag flag) {
  flag.inCore = name;
  return flag;
}

void needsLength(const std::string& flag, const std::string& text) {
  constexpr const char* kAllowed = "; it must be an integer of at least 1";
  const std::optional<Index> n = numberOf<Index>(text);
  if (!n && !isWholeNumber(text))
    throw Error(ErrorCode::N, flag, flag + " is " + excerpt(text) + kAllowed);
  if (integerFromText(flag, text) < 1)
    throw Error(ErrorCode::N, flag, flag + " is " + text + kAllowed);
}

void needsIndex(const std::string& flag, const std::string& text) {
  requireAtLeast(flag, integerFromText(flag, text), 0);
}

void needsCount(const std::string& flag, const std::string& text) {
  requireAtLeast(flag, integerFromText(flag, text), 1);
}

void needsCounts(const std::string& flag, const std::string& text) {
  const std::vector<Index> counts = integersFromText(flag, text);
  if (counts.size() == 1)
    return requireAtLeast(flag, counts.front(), 1);
  for (const Index count : counts)
    if (count < 1)
      throw Error(ErrorCode::Range, flag,
                  flag + " has " + std::to_string(count) +
                      "; each must be an integer of at least 1");
}

void needsText(const std::string&, const std::string&) {}

void checkFlagText(const Flag& flag, const std::string& text) {
  if (flag.value.empty() || flag.value == "true|false") {
    if (text != "true" && text != "false")
      throw Error(ErrorCode::Type, flag.name,
                  flag.name + " is " + excerpt(text) + "; it must be true or false");
    return;
  }
  if (text.empty() && flag.check != needsText)
    throw Error(ErrorCode::Type, flag.name, "--" + flag.name + " is given without a value");
  if (flag.check)
    return flag.check(flag.name, text);
  const std::vector<std::string> choices = flag.allChoices();
  const auto isText = [&](const std::string& choice) { return sameName(choice, text); };
  if (!choices.empty() && std::none_of(choices.begin(), choices.end(), isText))
    throwRange(flag.name, shortened(text, kLongestShown), eitherOf(choices));
}

Value flagValue(const ParameterFacts& parameter, const std::string& given) {
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
  return valueFromText(parameter, text);
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
  if (const std::string* text = arguments.find(flag))
    needsLength(std::string(flag), *text);
  return arguments.integer(flag);
}

std::uint64_t seedFrom(const Arguments& arguments, std::string_view flag) {
  return seedFromText(std::string(flag), arguments.text(flag, "0"));
}

} // namespace attention::cli
