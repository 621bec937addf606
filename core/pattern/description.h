// What a pattern says of itself: name, source, definition, parameters. One description feeds the
// window's controls, the command line's flags, the JSON keys, the README's table and the checks.
#pragma once

#include "core/pattern/value.h"
#include "core/support/names.h"

#include <functional>
#include <limits>
#include <string>
#include <string_view>
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
  IntegersOrCount, // a list of integers, or one integer k for the first k tokens
  Pairs,           // a list of pairs of integers
  Named,           // names with integers
  Mask,            // a mask from a file
  Matrix,          // numbers in two or three dimensions, or a file
  Patterns,        // operands
};

struct Choice {
  std::string value; // the spec's: "paper"
  std::string label; // on the button: "paper l+1"
  std::string meaning;
};

// A choice with the enumerator that it stands for.
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

struct Parameter {
  std::string name;   // the spec's: "stride"
  std::string symbol; // in the formulas: "l"
  std::string meaning;
  std::string unit; // "tokens", "blocks", or empty
  ParameterType type = ParameterType::Integer;
  bool required = false;
  std::vector<Choice> choices;

  // The value that was given; monostate where the default holds.
  std::function<Value(const Pattern&)> given;
  // Sets a value of the right alternative (monostate: back to the default); E_TYPE otherwise.
  std::function<void(Pattern&, const Value&)> set;
  // The value for length n, defaults resolved.
  std::function<Value(const Pattern&, Index n)> resolved;
  // For numbers and lists of numbers; depends on n and on the other parameters.
  std::function<Bounds(const Pattern&, Index n)> bounds;
  // Whether the parameter has a meaning beside the others' values.
  std::function<bool(const Pattern&)> visible;
};

struct Description {
  std::string name;                    // the spec's: "sliding_window"
  std::vector<std::string> aliases;    // "a_shape"
  std::string title;                   // "Sliding window"
  std::string group;                   // in the gallery: "Windows", "Factorized", …
  std::string summary;                 // one sentence
  std::string source;                  // "Child et al. 2019, §4.3"
  std::vector<std::string> definition; // lines: "A¹ᵢ = { max(0, i−l), …, i }"
  std::string conventions;             // which library means what; may be empty
  std::string complexity;              // "O(n √n d)"
  std::vector<Parameter> parameters;

  // The parameter of that name ('-' and '_' are the same), or null.
  const Parameter* find(std::string_view parameter) const;
};

} // namespace attention
