// A pattern: the parameters of one mechanism, or a composition of patterns. Plain data with
// equality; prepare() makes it ready for given lengths.
//
// To add a pattern, write its file pair in mechanism/ and name it in mechanism/all.h; the concept's
// static_assert says what is missing. Only code that visits every mechanism includes all.h:
// everything else asks a pattern for the mechanism that it knows, so that changing one recompiles
// little.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/lengths.h"
#include "core/pattern/pattern_data.h"
#include "core/pattern/prepared.h"

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace attention {

struct Mechanism; // the variant of all, in mechanism/all.h

// A struct of parameters that describes itself, as all mechanisms do.
template <class M>
concept Described = requires(const M& m) {
  { describe(m) } -> std::same_as<const Description&>;
};

// A value: copies are deep. A moved-from one can only be assigned to or destroyed.
class Pattern {
public:
  Pattern(); // full attention
  template <Described M>
  Pattern(M m) : Pattern(typeid(M), &m) {}
  Pattern(const Pattern&);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(const Pattern&);
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  // The parameters, if the mechanism is M; null otherwise.
  template <Described M>
  const M* as() const {
    return static_cast<const M*>(held(typeid(M)));
  }
  template <Described M>
  M* as() {
    return static_cast<M*>(held(typeid(M)));
  }
  template <Described M>
  bool is() const {
    return as<M>() != nullptr;
  }

  // To visit, with mechanism/all.h.
  const Mechanism& mechanism() const { return *mechanism_; }
  Mechanism& mechanism() { return *mechanism_; }

  bool operator==(const Pattern& other) const;

private:
  Pattern(const std::type_info& type, void* m); // moves from *m, which is of that type
  void* held(const std::type_info& type) const;

  std::unique_ptr<Mechanism> mechanism_;
};

// Whether both have the same mechanism, whatever their parameters.
bool sameMechanism(const Pattern& a, const Pattern& b);

// Every mechanism in the order of the specification, with default parameters.
std::span<const Pattern> allMechanisms();

// Their names and aliases, in that order.
std::vector<std::string> mechanismNames();

const Description& description(const Pattern& pattern);

// The mechanism of that name or alias with default parameters. E_UNKNOWN suggests the nearest name,
// or lists all; `others` are further words allowed in its place.
Pattern patternNamed(std::string_view name, std::span<const std::string> others = {});

// The parameter of the pattern's description. E_UNKNOWN suggests the nearest name, or lists all.
const Parameter& parameterNamed(const Pattern& pattern, std::string_view name);

// Sets one parameter; E_UNKNOWN, E_TYPE.
void set(Pattern& pattern, std::string_view parameter, const Value& value);

// Puts parameters back to their defaults that would be an error because other parameters leave them
// out (ParameterFacts::exclusive).
void dropUnread(Pattern& pattern);

// The patterns that it is made of: operands of a composition, what strokes are drawn on.
std::vector<const Pattern*> operandsOf(const Pattern& pattern);

// Checks every parameter against its bounds for these lengths, and what has to fit them as a whole:
// values for every token, chunks, grids; in operands too. Throws E_RANGE, E_TYPE (required and
// missing), E_NONFINITE, E_SHAPE, E_UNSUPPORTED.
void check(const Pattern& pattern, const Lengths& lengths);

// Whether preparing reads the queries and keys (S5, S6), in the pattern or an operand.
bool needsData(const Pattern& pattern);

// Whether it would with other parameter values: clusters need no data where labels are given.
bool mayNeedData(const Pattern& pattern);

// Whether it can be prepared where n_q ≠ n_k; and whether it then needs no alignment, since no
// query has to be one of the tokens.
bool mayBeRectangular(const Pattern& pattern);
bool ignoresAlignment(const Pattern& pattern);

// Whether every pattern, operands included, is index arithmetic or decides by itself whether it may
// have more keys than queries, or fewer. For most patterns that read the data that is decided
// before (E_UNSUPPORTED, S4.20); those of S20 refuse by E_SHAPE.
bool judgeLengths(std::span<const Pattern> patterns);

// Checks, resolves defaults, draws what is random, decides what depends on `data` (E_TYPE where
// that is needed and missing). Rectangular lengths work only with index arithmetic (E_UNSUPPORTED
// otherwise, S4.20).
std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const PatternData& data, const Run& run = {});
std::shared_ptr<const Prepared> prepare(const Pattern& pattern, const Lengths& lengths,
                                        const Run& run = {});

// "strided, stride 8, head 2": the name and what differs from the defaults.
std::string shortText(const Pattern& pattern);

} // namespace attention
