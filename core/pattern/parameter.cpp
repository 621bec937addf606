#include "core/pattern/parameter.h"

#include "core/pattern/strokes.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <cmath>

namespace attention {
namespace {

std::string allowedType(ParameterType type) {
  switch (type) {
  case ParameterType::Integer:
    return "an integer";
  case ParameterType::Seed:
    return "an integer from 0 to 2^64 − 1";
  case ParameterType::Real:
    return "a number";
  case ParameterType::Boolean:
    return "true or false";
  case ParameterType::Choice:
    return "a name";
  case ParameterType::Text:
    return "a text";
  case ParameterType::Integers:
    return "a list of integers";
  case ParameterType::Reals:
    return "a list of numbers";
  case ParameterType::IntegersOrCount:
    return "a list of integers or one integer";
  case ParameterType::IntegersOrOne:
    return "one integer, or a list of one per axis";
  case ParameterType::BooleansOrOne:
    return "true or false, or a list of one per axis";
  case ParameterType::Pairs:
    return "a list of pairs of integers";
  case ParameterType::Paths:
    return "a list of lists of integers";
  case ParameterType::Named:
    return "names with integers";
  case ParameterType::Mask:
    return "a mask file";
  case ParameterType::Matrix:
    return "nested lists of numbers, or a file";
  case ParameterType::Pattern:
    return "a pattern";
  case ParameterType::Patterns:
    return "a list of patterns";
  case ParameterType::Strokes:
    return "a list of strokes";
  }
  return "a value";
}

struct Found {
  std::string operator()(std::monostate) const { return "missing"; }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(Index x) const { return std::to_string(x); }
  std::string operator()(std::uint64_t x) const { return std::to_string(x); }
  std::string operator()(double) const { return "a number that is not an integer"; }
  std::string operator()(const std::string& s) const { return "the text " + excerpt(s); }
  std::string operator()(const IndexList&) const { return "a list of integers"; }
  std::string operator()(const RealList&) const { return "a list of numbers"; }
  std::string operator()(const PairList&) const { return "a list of pairs"; }
  std::string operator()(const Variables&) const { return "names with integers"; }
  std::string operator()(const std::shared_ptr<const Pattern>&) const { return "a pattern"; }
  std::string operator()(const std::shared_ptr<const PatternList>&) const {
    return "a list of patterns";
  }
  std::string operator()(const MaskSource&) const { return "a mask"; }
  std::string operator()(const MatrixSource&) const { return "a matrix"; }
  std::string operator()(const StrokeList&) const { return "a list of strokes"; }
  std::string operator()(const TruthList&) const { return "a list of true and false"; }
  std::string operator()(const PathList&) const { return "a list of lists"; }
};

std::string allowed(const Bounds& bounds, ParameterType type) {
  if (!bounds.allowed.empty())
    return bounds.allowed;
  const std::string noun = type == ParameterType::Real ? "a number" : "an integer";
  const auto number = [](double x) {
    return shortest(
        x == std::floor(x) && std::abs(x) < 1e15 ? static_cast<double>(static_cast<Index>(x)) : x);
  };
  if (std::isinf(bounds.maximum))
    return noun + " of at least " + number(bounds.minimum);
  if (std::isinf(bounds.minimum))
    return noun + " of at most " + number(bounds.maximum);
  return noun + " from " + number(bounds.minimum) + " to " + number(bounds.maximum);
}

// Checks one kind of value; texts, names and booleans have no bounds.
struct Check {
  const std::string& subject;
  const Bounds& bounds;
  ParameterType type;

  template <class T>
  void operator()(const T&) const {}
  void operator()(Index x) const { number(static_cast<double>(x), std::to_string(x)); }
  void operator()(double x) const {
    if (!std::isfinite(x))
      throw Error(ErrorCode::NonFinite, subject,
                  subject + " is not finite; it must be " + allowed(bounds, type));
    number(x, shortest(x));
  }
  void operator()(const IndexList& list) const {
    for (const Index x : list)
      (*this)(x);
  }
  void operator()(const RealList& list) const {
    for (const double x : list)
      (*this)(x);
  }
  void operator()(const PairList& list) const {
    for (const auto& [a, b] : list) {
      (*this)(a);
      (*this)(b);
    }
  }
  void operator()(const PathList& paths) const {
    for (const std::vector<Index>& path : paths)
      for (const Index x : path)
        (*this)(x);
  }
  void operator()(const MatrixSource& matrix) const {
    for (const double x : matrix.values)
      if (!std::isfinite(x))
        throw Error(ErrorCode::NonFinite, subject,
                    subject + " holds a number that is not finite; every number must be finite");
  }
  void operator()(const StrokeList& strokes) const { checkStrokes(subject, strokes); }

private:
  void number(double x, const std::string& found) const {
    const bool offStep =
        bounds.step > 1 && std::fmod(x - bounds.minimum, static_cast<double>(bounds.step)) != 0;
    if (x < bounds.minimum || x > bounds.maximum || offStep)
      throwRange(subject, found, allowed(bounds, type));
  }
};

} // namespace

void checkValue(const std::string& subject, const Value& value, const Bounds& bounds,
                ParameterType type) {
  std::visit(Check{subject, bounds, type}, value);
}

std::size_t placeOfChoice(const std::vector<Choice>& choices, const Value& name,
                          const std::string& subject) {
  const auto* text = std::get_if<std::string>(&name);
  if (!text)
    throwType(subject, name, ParameterType::Choice);
  std::string known;
  for (std::size_t k = 0; k < choices.size(); ++k) {
    if (sameName(choices[k].value, *text))
      return k;
    known += (k == 0 ? "" : ", ") + choices[k].value;
  }
  throwRange(subject, *text, "one of " + known);
}

void throwType(const std::string& parameter, const Value& found, ParameterType type) {
  throw Error(ErrorCode::Type, parameter,
              parameter + " is " + std::visit(Found{}, found) + "; it must be " +
                  allowedType(type));
}

} // namespace attention
