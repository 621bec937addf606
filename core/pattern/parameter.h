// One described number, choice or list: its name, meaning, default, bounds, and how it is read and
// set. Window controls, flags, JSON keys, tables and checks are made from it.
#pragma once

#include "core/pattern/value.h"
#include "core/support/names.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace attention {

enum class ParameterType {
  Integer,
  Seed, // 0 … 2^64 − 1
  Real,
  Boolean,
  Choice,
  Text,
  Integers,        // a list of integers
  Reals,           // a list of numbers
  IntegersOrCount, // a list of integers, or one integer k for the first k tokens
  IntegersOrOne,   // one integer per axis, or one for all
  BooleansOrOne,   // true or false per axis, or one for all
  Pairs,           // a list of pairs of integers
  Paths,           // a list of lists of integers
  Named,           // names with integers
  Mask,            // a mask from a file
  Matrix,          // numbers in two or three dimensions, or a file
  Pattern,         // one pattern
  Patterns,        // operands
  Strokes,         // cells added and removed by hand
};

struct Choice {
  std::string value; // the spec's: "paper"
  std::string label; // on the button: "paper l+1"
  std::string meaning;
};

// A choice with its enumerator.
template <class E>
struct ChoiceOf {
  E value;
  std::string name;
  std::string label;
  std::string meaning;
};

// Smallest and largest value allowed, both inclusive; of every element for lists.
struct Bounds {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  // The rule in words where the numbers alone do not say it: "an even integer of at least 0".
  std::string allowed = {};
  Index step = 1; // allowed integers are minimum + k · step
};

// A parameter's description, whatever it belongs to.
struct ParameterFacts {
  std::string name;   // in JSON and, with dashes, on the command line: "stride"
  std::string symbol; // in the formulas: "l"
  std::string label;  // in the window; empty: name and symbol
  std::string meaning;
  std::string unit; // "tokens", "blocks", or empty
  ParameterType type = ParameterType::Integer;
  bool required = false;       // never absent, and a list never empty
  bool optional = false;       // may be absent, whatever that means
  bool exclusive = false;      // an error where it is given and not visible
  std::optional<double> handy; // the largest value that a slider gives, where more is allowed
  std::string none;            // what an empty field stands for: "all the same"
  std::vector<Index> usual;    // the few numbers that the window offers, though any is allowed
  std::vector<Choice> choices;
};

// A parameter of a pattern, or of another value `Of` (the settings of a view).
template <class Of>
struct ParameterOf : ParameterFacts {
  // The value that was given; monostate where the default holds.
  std::function<Value(const Of&)> given;
  // Sets a value of the right alternative (monostate: back to the default); E_TYPE otherwise.
  std::function<void(Of&, const Value&)> set;
  // The current value for length n, defaults resolved.
  std::function<Value(const Of&, Index n)> resolved;
  // For numbers and lists of numbers; depends on n and on the other parameters.
  std::function<Bounds(const Of&, Index n)> bounds;
  // Whether the parameter matters, given the others' values.
  std::function<bool(const Of&)> visible;
};

// Whether the value is within the bounds: of every element, for lists. E_RANGE and E_NONFINITE name
// `subject`.
void checkValue(const std::string& subject, const Value& value, const Bounds& bounds,
                ParameterType type);

// Which of the choices the name is. E_TYPE where it is not a text, E_RANGE where there is none of
// that name.
std::size_t placeOfChoice(const std::vector<Choice>& choices, const Value& name,
                          const std::string& subject);

// The type error of a parameter: "stride is a text; it must be an integer".
[[noreturn]] void throwType(const std::string& parameter, const Value& found, ParameterType type);

} // namespace attention
