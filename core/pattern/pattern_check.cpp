// Values against the bounds of their parameters, and values in words.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include "core/support/error.h"
#include "core/support/number_text.h"
#include "core/support/text.h"

namespace attention {
namespace {

std::string text(double x) {
  return shortest(x);
}

std::string text(Index x) {
  return std::to_string(x);
}

struct Short {
  template <class T>
  std::string operator()(const T&) const {
    return "…";
  }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(Index x) const { return text(x); }
  std::string operator()(std::uint64_t x) const { return std::to_string(x); }
  std::string operator()(double x) const { return text(x); }
  std::string operator()(const std::string& s) const { return printableLabel(shortened(s, 24)); }
  std::string operator()(const IndexList& list) const {
    if (list.size() > 4)
      return countText(list.size(), "value");
    std::string joined;
    for (const Index x : list)
      joined += (joined.empty() ? "" : ",") + text(x);
    return "[" + joined + "]";
  }
  std::string operator()(const RealList& list) const {
    std::string joined;
    for (const double x : list)
      joined += (joined.empty() ? "" : ",") + text(x);
    return "[" + joined + "]";
  }
};

} // namespace

void check(const Pattern& pattern, const Lengths& lengths) {
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value value = parameter.resolved(pattern, lengths.keys);
    if (parameter.exclusive && !parameter.visible(pattern)) {
      if (!std::holds_alternative<std::monostate>(parameter.given(pattern)))
        throw Error(ErrorCode::Unknown, parameter.name,
                    parameter.name + " is given, but not read beside the other parameters of " +
                        description(pattern).name + "; leave it out");
      continue;
    }
    if (parameter.required && std::holds_alternative<std::monostate>(value))
      throw Error(ErrorCode::Type, parameter.name,
                  parameter.name + " is missing; " + description(pattern).name + " requires it");
    checkValue(parameter.name, value, parameter.bounds(pattern, lengths.keys), parameter.type);
  }
  std::visit(
      [&](const auto& m) {
        if constexpr (ChecksLengths<std::decay_t<decltype(m)>>)
          checkLengths(m, lengths);
      },
      pattern.mechanism());
}

std::string shortText(const Pattern& pattern) {
  const Description& d = description(pattern);
  std::string words = d.name;
  if (const auto* compose = pattern.as<Compose>())
    return words + " of " + std::to_string(compose->of.size());
  if (const auto* drawn = pattern.as<Drawn>())
    return words + (drawn->on ? " on " + description(*drawn->on).name : "") + ", " +
           countText(drawn->strokes.size(), "stroke");
  for (const Parameter& parameter : d.parameters) {
    const Value value = parameter.given(pattern);
    if (std::holds_alternative<std::monostate>(value))
      continue;
    words += ", " + parameter.name + " " + std::visit(Short{}, value);
  }
  return words;
}

} // namespace attention
