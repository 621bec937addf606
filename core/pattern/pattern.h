// A pattern: the parameters of one mechanism, or a composition of patterns. Plain data with
// equality; prepare() makes it ready for given lengths.
//
// To add a pattern, write its file pair in mechanism/, and name it in the variant below and in
// mechanism/all.h; what is missing is said by the concept's static_assert.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/prepared.h"
#include "core/support/names.h"

#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

namespace attention {

// What the compiler would write stands in pattern.cpp: copying a variant of all mechanisms in every
// file that holds a pattern took a fifth of the time of compiling it.
struct Pattern {
  Mechanism mechanism = Full{};
  Pattern();
  Pattern(const Pattern&);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(const Pattern&);
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();
  template <class M>
  requires(!std::same_as<std::remove_cvref_t<M>, Pattern>) Pattern(M m) : mechanism(std::move(m)) {}
  bool operator==(const Pattern& other) const;
};

// Every mechanism in the order of the specification, with default parameters.
std::span<const Pattern> allMechanisms();

// Their names and aliases, in that order.
std::vector<std::string> mechanismNames();

const Description& description(const Pattern& pattern);

// The mechanism of that name or alias with default parameters. E_UNKNOWN suggests the nearest name,
// or lists all; `others` are further words that are allowed in its place.
Pattern patternNamed(std::string_view name, std::span<const std::string> others = {});

// The parameter of the pattern's description. E_UNKNOWN suggests the nearest name, or lists all.
const Parameter& parameterNamed(const Pattern& pattern, std::string_view name);

// Sets one parameter; E_UNKNOWN, E_TYPE.
void set(Pattern& pattern, std::string_view parameter, const Value& value);

// Checks every parameter against its bounds for these lengths, and what has to fit them as a whole:
// values for every token, chunks, grids; in operands too. Throws E_RANGE, E_TYPE (required and
// missing), E_NONFINITE, E_SHAPE, E_UNSUPPORTED.
void check(const Pattern& pattern, const Lengths& lengths);

// Whether preparing reads the queries and keys (S5, S6), in the pattern or an operand.
bool needsData(const Pattern& pattern);

// Whether it would with other values of its parameters: clusters need no data where labels are
// given.
bool mayNeedData(const Pattern& pattern);

// Checks, resolves defaults, draws what is random, decides what depends on `data`: E_TYPE where
// that is needed and missing. Rectangular lengths for index arithmetic alone (E_UNSUPPORTED
// otherwise, S4.20).
std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const PatternData& data, const Run& run = {});
std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const Run& run = {});

// "strided, stride 8, head 2": the name and what differs from the defaults.
std::string shortText(const Pattern& pattern);

} // namespace attention
