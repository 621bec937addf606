// What a pattern says about itself: name, source, definition, parameters. One description feeds the
// window's controls, the command line's flags, the JSON keys, the README's table and the checks.
#pragma once

#include "core/pattern/parameter.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

using Parameter = ParameterOf<Pattern>;

// An array that a mechanism takes from the input where it has one of that name.
struct OptionalArray {
  std::string name;    // "index_q"
  std::string meaning; // with its shape
};

// How a mechanism chooses keys by the data.
enum class Chooses {
  Nothing,
  Groups, // sorts tokens into groups that attend to each other
  Ranks,  // ranks keys or blocks by scores
  Evicts, // keeps a cache
};

struct HeadOptions;

// How the attention heads of a mechanism differ (S4.17, core/pattern/heads.h).
struct HeadRule {
  std::vector<std::string_view> reads;          // of HeadOptions, besides the number: "alternate"
  std::vector<std::string_view> sets;           // parameters that every head has for itself
  bool (*differ)(const HeadOptions&) = nullptr; // whether they do; null: always
  // Makes the pattern head `index` of them, for n keys.
  std::function<void(Pattern&, const HeadOptions&, Index index, Index n)> make;
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
  std::vector<OptionalArray> arrays;
  Chooses chooses = Chooses::Nothing;
  // The name of the parameter that says how much is kept; null where nothing is left out by score.
  std::function<std::string_view(const Pattern&)> budget;
  std::optional<HeadRule> heads; // none: they are all the same

  // The parameter of that name ('-' and '_' are the same), or null.
  const Parameter* find(std::string_view parameter) const;
};

} // namespace attention
