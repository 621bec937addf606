// Values against the bounds of their parameters, and values in words.
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

std::string text(double x) {
  return shortest(x);
}

std::string text(Index x) {
  return std::to_string(x);
}

std::string allowed(const Bounds& bounds, ParameterType type) {
  if (!bounds.allowed.empty())
    return bounds.allowed;
  const std::string noun = type == ParameterType::Real ? "a number" : "an integer";
  const auto number = [](double x) {
    return text(
        x == std::floor(x) && std::abs(x) < 1e15 ? static_cast<double>(static_cast<Index>(x)) : x);
  };
  if (std::isinf(bounds.maximum))
    return noun + " of at least " + number(bounds.minimum);
  if (std::isinf(bounds.minimum))
    return noun + " of at most " + number(bounds.maximum);
  return noun + " from " + number(bounds.minimum) + " to " + number(bounds.maximum);
}

template <class T>
void checkNumber(const Parameter& parameter, T value, const Bounds& bounds) {
  const auto x = static_cast<double>(value);
  const bool offStep =
      bounds.step > 1 && std::fmod(x - bounds.minimum, static_cast<double>(bounds.step)) != 0;
  if (x < bounds.minimum || x > bounds.maximum || offStep)
    throwRange(parameter.name, text(value), allowed(bounds, parameter.type));
}

// The checks that depend on the kind of value; texts, names and booleans have no bounds.
struct Check {
  const Parameter& parameter;
  const Bounds& bounds;

  template <class T>
  void operator()(const T&) const {}
  void operator()(Index x) const { checkNumber(parameter, x, bounds); }
  void operator()(double x) const {
    if (!std::isfinite(x))
      throw Error(ErrorCode::NonFinite, parameter.name,
                  parameter.name + " is not finite; it must be " + allowed(bounds, parameter.type));
    checkNumber(parameter, x, bounds);
  }
  void operator()(const IndexList& list) const {
    for (const Index x : list)
      checkNumber(parameter, x, bounds);
  }
  void operator()(const MatrixSource& matrix) const {
    for (const double x : matrix.values)
      if (!std::isfinite(x))
        throw Error(ErrorCode::NonFinite, parameter.name,
                    parameter.name +
                        " holds a number that is not finite; every number must be finite");
  }
  void operator()(const PairList& list) const {
    for (const auto& [a, b] : list) {
      checkNumber(parameter, a, bounds);
      checkNumber(parameter, b, bounds);
    }
  }
};

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
      return std::to_string(list.size()) + " values";
    std::string joined;
    for (const Index x : list)
      joined += (joined.empty() ? "" : ",") + text(x);
    return "[" + joined + "]";
  }
};

} // namespace

void check(const Pattern& pattern, const Lengths& lengths) {
  for (const Parameter& parameter : description(pattern).parameters) {
    const Value value = parameter.resolved(pattern, lengths.keys);
    if (parameter.required && std::holds_alternative<std::monostate>(value))
      throw Error(ErrorCode::Type, parameter.name,
                  parameter.name + " is missing; " + description(pattern).name + " requires it");
    const Bounds bounds = parameter.bounds(pattern, lengths.keys);
    std::visit(Check{parameter, bounds}, value);
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
  for (const Parameter& parameter : d.parameters) {
    const Value value = parameter.given(pattern);
    if (std::holds_alternative<std::monostate>(value))
      continue;
    words += ", " + parameter.name + " " + std::visit(Short{}, value);
  }
  return words;
}

} // namespace attention
