#include "app/gui/parameters/draft_field.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"
#include "core/support/text.h"

#include <nlohmann/json.hpp>

namespace attention::gui {
namespace {

// The pieces that are not blank.
std::vector<std::string> filledPieces(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (const std::string_view piece : split(text, separator))
    if (!trimmed(piece).empty())
      pieces.emplace_back(trimmed(piece));
  return pieces;
}

const char* allowedText(ParameterType type) {
  switch (type) {
  case ParameterType::Integers:
    return "a list of integers such as 0, 5, 9";
  case ParameterType::Reals:
    return "a list of numbers such as 0.5, 1, 2";
  case ParameterType::IntegersOrCount:
    return "a list of integers such as 0, 5, 9, or how many from the first: first 4";
  case ParameterType::IntegersOrOne:
    return "an integer, or one per axis such as 3, 5";
  case ParameterType::BooleansOrOne:
    return "true or false, or one per axis such as true, false";
  case ParameterType::Pairs:
    return "a list of pairs such as 0-1, 2-5";
  case ParameterType::Paths:
    return "a list of paths such as 0, 1, 0-0, 0-1";
  case ParameterType::Named:
    return "names with integers such as w = 3, b = 2";
  case ParameterType::Seed:
    return "an integer from 0 to 2^64 − 1";
  case ParameterType::Real:
    return "a number";
  default:
    return "an integer";
  }
}

[[noreturn]] void refuse(const ParameterFacts& p, const std::string& text) {
  throw Error(ErrorCode::Type, p.name,
              p.name + " is \"" + text + "\"; it must be " + allowedText(p.type));
}

template <class T>
T number(const ParameterFacts& p, std::string_view text) {
  const std::string_view digits = trimmed(text);
  const auto value = numberOf<T>(digits);
  if (!value)
    refuse(p, std::string(digits));
  return *value;
}

std::vector<Index> integers(const ParameterFacts& p, const std::string& text) {
  std::vector<Index> list;
  for (const std::string& piece : filledPieces(text, ','))
    list.push_back(number<Index>(p, piece));
  return list;
}

PairList pairs(const ParameterFacts& p, const std::string& text) {
  std::vector<IndexPair> list;
  for (const std::string& piece : filledPieces(text, ',')) {
    const auto dash = piece.find('-', 1);
    if (dash == std::string::npos)
      refuse(p, piece);
    list.emplace_back(number<Index>(p, piece.substr(0, dash)),
                      number<Index>(p, piece.substr(dash + 1)));
  }
  return list;
}

PathList paths(const ParameterFacts& p, const std::string& text) {
  std::vector<std::vector<Index>> list;
  for (const std::string& piece : filledPieces(text, ',')) {
    std::vector<Index>& path = list.emplace_back();
    for (const std::string_view turn : split(piece, '-'))
      path.push_back(number<Index>(p, turn));
  }
  return list;
}

bool truth(const ParameterFacts& p, const std::string& text) {
  if (text != "true" && text != "false")
    refuse(p, text);
  return text == "true";
}

TruthList truths(const ParameterFacts& p, const std::string& text) {
  std::vector<Truth> list;
  for (const std::string& piece : filledPieces(text, ','))
    list.push_back(static_cast<Truth>(truth(p, piece)));
  return list;
}

Variables named(const ParameterFacts& p, const std::string& text) {
  Variables variables;
  for (const std::string& piece : filledPieces(text, ',')) {
    const auto equals = piece.find('=');
    if (equals == std::string::npos)
      refuse(p, piece);
    variables[std::string(trimmed(piece.substr(0, equals)))] =
        number<Index>(p, piece.substr(equals + 1));
  }
  return variables;
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

std::string textOf(const Value& value) {
  return std::visit(TextOf{}, value);
}

Value valueOf(const ParameterFacts& p, const std::string& text) {
  const std::string typed(trimmed(text));
  if (typed.empty() && p.type != ParameterType::Text)
    return {};
  switch (p.type) {
  case ParameterType::Text:
    return text;
  case ParameterType::Seed:
    return number<std::uint64_t>(p, typed);
  case ParameterType::Real:
    return number<double>(p, typed);
  case ParameterType::Integers:
    return IndexList(integers(p, typed));
  case ParameterType::Reals: {
    std::vector<double> list;
    for (const std::string& piece : filledPieces(typed, ','))
      list.push_back(number<double>(p, piece));
    return RealList(std::move(list));
  }
  case ParameterType::IntegersOrCount:
    if (typed.rfind("first ", 0) == 0)
      return number<Index>(p, typed.substr(6));
    return IndexList(integers(p, typed));
  case ParameterType::IntegersOrOne:
    if (typed.find(',') == typed.npos)
      return number<Index>(p, typed);
    return IndexList(integers(p, typed));
  case ParameterType::BooleansOrOne:
    if (typed.find(',') == typed.npos)
      return truth(p, typed);
    return truths(p, typed);
  case ParameterType::Pairs:
    return pairs(p, typed);
  case ParameterType::Paths:
    return paths(p, typed);
  case ParameterType::Named:
    return named(p, typed);
  case ParameterType::Matrix:
    if (typed.front() == '[')
      return valueFromJson(p, parseJson(typed, p.name));
    return MatrixSource{typed, {}, {}};
  default:
    return number<Index>(p, typed);
  }
}

} // namespace attention::gui
