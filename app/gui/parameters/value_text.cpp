#include "app/gui/parameters/value_text.h"

#include "core/pattern/pattern_json.h"
#include "core/support/error.h"
#include "core/support/json_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>

namespace attention::gui {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos)
    return {};
  const auto last = text.find_last_not_of(" \t\n");
  return std::string(text.substr(first, last - first + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto end = text.find(at);
    if (std::string piece = trimmed(text.substr(0, end)); !piece.empty())
      pieces.push_back(std::move(piece));
    if (end == std::string_view::npos)
      break;
    text.remove_prefix(end + 1);
  }
  return pieces;
}

const char* allowedText(ParameterType type) {
  switch (type) {
  case ParameterType::Integers:
    return "a list of integers such as 0, 5, 9";
  case ParameterType::IntegersOrCount:
    return "a list of integers such as 0, 5, 9, or how many from the first: first 4";
  case ParameterType::Pairs:
    return "a list of pairs such as 0-1, 2-5";
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

[[noreturn]] void refuse(const Parameter& p, const std::string& text) {
  throw Error(ErrorCode::Type, p.name,
              p.name + " is \"" + text + "\"; allowed is " + allowedText(p.type));
}

template <class T>
T number(const Parameter& p, std::string_view text) {
  const std::string digits = trimmed(text);
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    refuse(p, digits);
  return value;
}

std::vector<Index> integers(const Parameter& p, const std::string& text) {
  std::vector<Index> list;
  for (const std::string& piece : split(text, ','))
    list.push_back(number<Index>(p, piece));
  return list;
}

PairList pairs(const Parameter& p, const std::string& text) {
  std::vector<IndexPair> list;
  for (const std::string& piece : split(text, ',')) {
    const auto dash = piece.find('-', 1);
    if (dash == std::string::npos)
      refuse(p, piece);
    list.emplace_back(number<Index>(p, piece.substr(0, dash)),
                      number<Index>(p, piece.substr(dash + 1)));
  }
  return list;
}

Variables named(const Parameter& p, const std::string& text) {
  Variables variables;
  for (const std::string& piece : split(text, ',')) {
    const auto equals = piece.find('=');
    if (equals == std::string::npos)
      refuse(p, piece);
    variables[trimmed(piece.substr(0, equals))] = number<Index>(p, piece.substr(equals + 1));
  }
  return variables;
}

std::string realText(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

template <class List, class Each>
std::string joined(const List& list, const Each& each) {
  std::string text;
  for (const auto& item : list)
    text += (text.empty() ? "" : ", ") + each(item);
  return text;
}

struct TextOf {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(Index value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return realText(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const IndexList& list) const {
    return joined(list, [](Index i) { return std::to_string(i); });
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
  std::string operator()(const std::shared_ptr<const PatternList>&) const { return {}; }
  std::string operator()(const MaskSource& source) const { return source.file; }
  std::string operator()(const MatrixSource& matrix) const {
    return matrix.file.empty() ? valueToJson(matrix).dump() : matrix.file;
  }
};

} // namespace

std::string textOf(const Value& value) {
  return std::visit(TextOf{}, value);
}

Value valueOf(const Parameter& p, const std::string& text) {
  const std::string typed = trimmed(text);
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
  case ParameterType::IntegersOrCount:
    if (typed.rfind("first ", 0) == 0)
      return number<Index>(p, typed.substr(6));
    return IndexList(integers(p, typed));
  case ParameterType::Pairs:
    return pairs(p, typed);
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
