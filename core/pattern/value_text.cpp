#include "core/pattern/value_text.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

namespace attention {
namespace {

[[noreturn]] void throwType(const std::string& subject, std::string_view text,
                            const char* allowed) {
  throw Error(ErrorCode::Type, subject,
              subject + " is " + excerpt(text) + "; it must be " + allowed);
}

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Items may be separated by commas, spaces or line breaks: all become commas, but for spaces around
// the = of a name.
std::string commaSeparated(std::string_view text) {
  std::string list;
  bool blank = false;
  for (const char c : trimmed(text)) {
    const bool inside = c == '=' || (!list.empty() && list.back() == '=');
    const bool isNext = blank && c != ',' && !inside && !list.empty() && list.back() != ',';
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

template <class List, class Each>
std::string joined(const List& list, const Each& each) {
  std::string text;
  for (const auto& item : list) {
    text += text.empty() ? "" : ", ";
    text += each(item);
  }
  return text;
}

struct TextOf {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(Index value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const IndexList& list) const {
    return joined(list, [](Index i) { return std::to_string(i); });
  }
  std::string operator()(const RealList& list) const {
    return joined(list, [](double x) { return shortest(x); });
  }
  std::string operator()(const PairList& list) const {
    return joined(list, [](const IndexPair& pair) {
      return std::to_string(pair.first) + "-" + std::to_string(pair.second);
    });
  }
  std::string operator()(const Variables& list) const {
    return joined(
        list, [](const auto& item) { return item.first + " = " + std::to_string(item.second); });
  }
  std::string operator()(const std::shared_ptr<const Pattern>&) const { return {}; }
  std::string operator()(const std::shared_ptr<const PatternList>&) const { return {}; }
  std::string operator()(const MaskSource& source) const { return source.file; }
  std::string operator()(const MatrixSource& matrix) const {
    return matrix.file.empty() ? valueToJson(matrix).dump() : matrix.file;
  }
  std::string operator()(const StrokeList&) const { return {}; }
  std::string operator()(const TruthList& list) const {
    return joined(list,
                  [](Truth each) { return std::string(each == Truth::True ? "true" : "false"); });
  }
  std::string operator()(const PathList& list) const {
    return joined(list, [](const std::vector<Index>& path) {
      std::string turns;
      for (const Index turn : path)
        turns += (turns.empty() ? "" : "-") + std::to_string(turn);
      return turns;
    });
  }
};

} // namespace

std::uint64_t seedFromText(const std::string& subject, std::string_view text) {
  constexpr const char* kAllowed = "an integer from 0 to 2^64 − 1";
  if (const auto seed = numberOf<std::uint64_t>(text))
    return *seed;
  if (isWholeNumber(text))
    throwRange(subject, std::string(text), kAllowed);
  throwType(subject, text, kAllowed);
}

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
  if (isBeyondReals(text))
    throwRange(subject, shortened(text, 40),
               "0 or between 4.9e-324 and 1.8e308 in magnitude (float64)");
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

Value valueFromText(const ParameterFacts& parameter, const std::string& text) {
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
    return truthsFromText(name, withoutLastComma(text));
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

std::string textOf(const Value& value) {
  return std::visit(TextOf{}, value);
}

} // namespace attention
