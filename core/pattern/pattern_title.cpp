#include "core/pattern/pattern_title.h"

#include "core/pattern/mask_reference.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/mechanism/composed.h"
#include "core/pattern/mechanism/full.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <filesystem>

namespace attention {
namespace {

constexpr std::size_t kMostOperands = 3; // that a title names
constexpr std::size_t kMostNumbers = 4;  // of a list
constexpr std::size_t kLongestText = 24; // characters of a formula or a name

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
  // "16 labels"; "vertical at 5 places" of one direction; a number of buckets has factors.
  std::string manyNumbers(std::size_t count) const {
    if (isNumberOf())
      return named("in " + countText(count, "factor"));
    if (!noun().ends_with('s'))
      return named("at " + countText(count, "place"));
    return std::to_string(count) + " " + noun();
  }
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
      return manyNumbers(list.size());
    if (list.empty())
      return named("none");
    if (isNumberOf() && list.size() == 1)
      return (*this)(list[0]);
    std::string joined;
    for (const Index x : list)
      joined += (joined.empty() ? "" : ", ") + std::to_string(x);
    return named("{" + joined + "}");
  }
  std::string operator()(const RealList& list) const {
    std::string joined;
    for (const double x : list)
      joined += (joined.empty() ? "" : ", ") + shortest(x);
    return named("{" + joined + "}");
  }
  std::string operator()(const MaskSource& mask) const {
    return mask.file.empty() ? "" : titleOf(maskReference(mask.file));
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

// Operands that are themselves composed stand in parentheses.
std::string titleOf(const Compose& compose) {
  std::string words;
  for (const Pattern& operand : compose.of) {
    const bool nested = operand.is<Compose>() || operand.is<Drawn>();
    words += (words.empty() ? "" : std::string(signOf(compose.operation))) + (nested ? "(" : "") +
             titleText(operand) + (nested ? ")" : "");
  }
  return compose.operation == Operation::Complement ? "not " + words : words;
}

// "Local, window 3 and 2 strokes", "3 strokes".
std::string titleOf(const Drawn& drawn) {
  const std::string strokes = countText(drawn.strokes.size(), "stroke");
  return drawn.on ? titleText(*drawn.on) + " and " + strokes : strokes + " by hand";
}

using Patterns = std::span<const Pattern* const>;

// The given value; also the default where another pattern of the mechanism has a given value:
// "dilation 2" beside "dilation 4".
Value toldValue(const Parameter& parameter, const Pattern& pattern, Patterns among) {
  Value value = parameter.given(pattern);
  const auto tells = [&](const Pattern* other) {
    return sameMechanism(*other, pattern) &&
           !std::holds_alternative<std::monostate>(parameter.given(*other));
  };
  if (std::holds_alternative<std::monostate>(value) &&
      std::any_of(among.begin(), among.end(), tells))
    return fixedDefault(parameter, pattern);
  return value;
}

// Whether the title of `pattern` includes this value of a parameter of that name.
bool tells(const Pattern& pattern, const std::string& parameter, const Value& value,
           Patterns among) {
  const Parameter* same = description(pattern).find(parameter);
  return same && toldValue(*same, pattern, among) == value;
}

std::string titleOfParameters(const Pattern& pattern, Patterns among, bool whole) {
  const Description& d = description(pattern);
  std::string words = d.title;
  for (const Parameter& parameter : d.parameters) {
    const Value value = toldValue(parameter, pattern, among);
    const bool common =
        !whole && std::all_of(among.begin(), among.end(), [&](const Pattern* other) {
          return tells(*other, parameter.name, value, among);
        });
    if (common || std::holds_alternative<std::monostate>(value))
      continue;
    const std::string told = std::visit(Words{parameter}, value);
    if (!told.empty())
      words += ", " + told;
  }
  return words;
}

struct FactorOf {
  template <class M>
  Factor operator()(const M&) const {
    return Factor::Union;
  }
  Factor operator()(const Strided& strided) const { return strided.head; }
  Factor operator()(const Fixed& fixed) const { return fixed.head; }
};

} // namespace

std::string titleText(const ParameterFacts& parameter) {
  if (parameter.name == "head" && parameter.type == ParameterType::Choice)
    return "factor";
  std::string words = parameter.name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Value fixedDefault(const Parameter& parameter, const Pattern& pattern) {
  constexpr Index kShort = 64;
  constexpr Index kLong = 4096;
  if (!parameter.visible(pattern))
    return {};
  const Value value = parameter.resolved(pattern, kShort);
  return value == parameter.resolved(pattern, kLong) ? value : Value{};
}

std::string mechanismTitle(const Pattern& pattern) {
  const auto* full = pattern.as<Full>();
  return description(pattern).title + (full && full->causal ? " causal" : "");
}

std::string titleText(const Pattern& pattern, std::span<const Pattern* const> among) {
  if (const auto* compose = pattern.as<Compose>())
    return compose->of.size() <= kMostOperands
               ? titleOf(*compose)
               : description(pattern).title + " of " + countText(compose->of.size(), "pattern");
  if (const auto* drawn = pattern.as<Drawn>())
    return titleOf(*drawn);
  return titleOfParameters(pattern, among, true);
}

std::string titleAmong(const Pattern& pattern, std::span<const Pattern* const> among) {
  const bool others = std::any_of(among.begin(), among.end(),
                                  [&](const Pattern* other) { return *other != pattern; });
  if (!others || pattern.is<Compose>() || pattern.is<Drawn>())
    return titleText(pattern, among);
  return titleOfParameters(pattern, among, false);
}

std::vector<std::string> definitionOf(const Pattern& pattern) {
  std::vector<std::string> lines = description(pattern).definition;
  const Factor factor = std::visit(FactorOf{}, pattern.mechanism());
  if (factor == Factor::Union)
    return lines;
  const std::string name = factor == Factor::First ? "A¹ᵢ" : "A²ᵢ";
  std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(name); });
  lines.push_back("Sᵢ = " + name);
  return lines;
}

} // namespace attention
