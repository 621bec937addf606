// What a mechanism must offer, stated once and checked for every alternative of the variant.
#pragma once

#include "core/pattern/description.h"
#include "core/pattern/lengths.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <concepts>
#include <memory>

namespace attention {

// A mechanism is a plain struct of its parameters with two overloads:
//   const Description& describe(const M&);
//   std::shared_ptr<const Prepared> prepared(const M&, const Lengths&, const Run&);
// The second may take its parameters as checked against the description's bounds; lengths.keys is n
// of the formulas, and rows of cells are tokens (prepared.h).
template <class M>
concept MechanismLike = std::equality_comparable<M> && std::copyable<M> &&
    std::default_initializable<M> && requires(const M& m, const Lengths& lengths, const Run& run) {
  { describe(m) } -> std::same_as<const Description&>;
  { prepared(m, lengths, run) } -> std::same_as<std::shared_ptr<const Prepared>>;
};

// For patterns that are a list of labelled primitive sets.
std::shared_ptr<const Prepared> fromParts(const Lengths& lengths, std::vector<Part> parts);

} // namespace attention
