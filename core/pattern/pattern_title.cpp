#include "core/pattern/pattern_title.h"

#include "core/support/text.h"

#include <algorithm>
#include <filesystem>

namespace attention {
namespace {

constexpr std::size_t kMostOperands = 3; // that a title names
constexpr std::size_t kMostNumbers = 4;  // of a list
constexpr std::size_t kLongestText = 24; // letters of a formula or a name

constexpr std::string_view kNumberOf = "n_"; // "n_rounds": a number of rounds

std::string nameOf(const std::string& file) {
  return printableLabel(shortened(std::filesystem::path(file).filename().string(), kLongestText));
}

// The words of one given value, beside the parameter's.
struct Words {
  const Parameter& parameter;

  bool isNumberOf() const { return parameter.name.starts_with(kNumberOf); }
  std::string noun() const {
    return titleText(parameter).substr(isNumberOf() ? kNumberOf.size() : 0);
  }
  std::string named(const std::string& value) const { return noun() + " " + value; }
  template <class T>
  std::string operator()(const T&) const {
    return named("given");
  }
  std::string operator()(bool b) const { return (b ? "" : "not ") + titleText(parameter); }
  std::string operator()(Index x) const {
    const std::string number = std::to_string(x);
    if (!isNumberOf())
      return named(number);
    const std::string many = noun();
    return number + " " + (x == 1 && many.ends_with('s') ? many.substr(0, many.size() - 1) : many);
  }
  std::string operator()(std::uint64_t x) const { return named(std::to_string(x)); }
  std::string operator()(double x) const { return named(shortest(x)); }
  std::string operator()(const std::string& s) const {
    const auto& choices = parameter.choices;
    const auto choice =
        std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.value == s; });
    const bool labelled = choice != choices.end() && !choice->label.empty();
    return named(printableLabel(labelled ? choice->label : shortened(s, kLongestText)));
  }
  std::string operator()(const IndexList& list) const {
    if (list.size() > kMostNumbers)
      return named("at " + std::to_string(list.size()) + " places");
    if (isNumberOf() && list.size() == 1)
      return (*this)(list[0]);
    std::string joined;
    for (const Index x : list)
      joined += (joined.empty() ? "" : ", ") + std::to_string(x);
    return named("{" + joined + "}");
  }
  std::string operator()(const MaskSource& mask) const {
    return mask.file.empty() ? "" : nameOf(mask.file);
  }
  std::string operator()(const MatrixSource& matrix) const {
    return named(matrix.file.empty() ? "given" : nameOf(matrix.file));
  }
};

std::string_view signOf(Operation operation) {
  switch (operation) {
  case Operation::Union:
    return " ∪ ";
  case Operation::Intersection:
    return " ∩ ";
  case Operation::Difference:
    return " ∖ ";
  case Operation::SymmetricDifference:
    return " xor ";
  case Operation::Complement:
    break;
  }
  return "";
}

// Operands that are composed themselves stand in brackets.
std::string titleOf(const Compose& compose) {
  std::string words;
  for (const Pattern& operand : compose.of) {
    const bool nested = std::holds_alternative<Compose>(operand.mechanism);
    words += (words.empty() ? "" : std::string(signOf(compose.operation))) + (nested ? "(" : "") +
             titleText(operand) + (nested ? ")" : "");
  }
  return compose.operation == Operation::Complement ? "not " + words : words;
}

// Whether the pattern was given this value of a parameter of that name.
bool gives(const Pattern& pattern, const std::string& parameter, const Value& value) {
  const auto& all = description(pattern).parameters;
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const Parameter& own) { return own.name == parameter; });
  return same != all.end() && same->given(pattern) == value;
}

} // namespace

std::string titleText(const Parameter& parameter) {
  if (parameter.name == "head" && parameter.type == ParameterType::Choice)
    return "factor";
  std::string words = parameter.name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string titleText(const Pattern& pattern) {
  return titleAmong(pattern, {});
}

std::string titleAmong(const Pattern& pattern, std::span<const Pattern* const> among) {
  const bool others = std::any_of(among.begin(), among.end(),
                                  [&](const Pattern* other) { return *other != pattern; });
  const Description& d = description(pattern);
  if (const auto* compose = std::get_if<Compose>(&pattern.mechanism))
    return compose->of.size() <= kMostOperands
               ? titleOf(*compose)
               : d.title + " of " + std::to_string(compose->of.size()) + " patterns";
  std::string words = d.title;
  for (const Parameter& parameter : d.parameters) {
    const Value value = parameter.given(pattern);
    const bool common =
        others && std::all_of(among.begin(), among.end(), [&](const Pattern* other) {
          return gives(*other, parameter.name, value);
        });
    if (common || std::holds_alternative<std::monostate>(value))
      continue;
    const std::string given = std::visit(Words{parameter}, value);
    if (!given.empty())
      words += ", " + given;
  }
  return words;
}

} // namespace attention
