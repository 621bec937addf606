// A closed-form set as a signed list of primitives: the number of its cells in any rectangle is the
// signed sum of the primitives' counts (inclusion and exclusion). The list is data, evaluated by
// one function on the CPU and one in the shader.
#pragma once

#include "core/pattern/primitive.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// `part` is the part of the pattern that the cells count for: a cell that several parts hold counts
// for the first one.
struct Term {
  Primitive primitive;
  int sign = 1;
  int part = 0;

  auto operator<=>(const Term&) const = default;
};

using Terms = std::vector<Term>;

// Longer lists are not kept: counting rows is then faster.
constexpr std::size_t kMostTerms = 4096;

// Σ sign · count in `rect`. O(terms).
Index count(std::span<const Term> terms, const Rect& rect);

// The terms of a ∩ b, with part 0; nothing if a pair of primitives has no closed intersection or
// the list grows beyond kMostTerms.
std::optional<Terms> product(std::span<const Term> a, std::span<const Term> b);

// Adds `sign` times every term of `more` to `terms` as cells of `part`, and drops terms that
// cancel.
void add(Terms& terms, std::span<const Term> more, int sign, int part);

// Makes `terms` the union with the cells of `more`: appends, as part `part`, the terms of those
// cells of `more` that `terms` does not hold yet. False, with `terms` unchanged, where there is no
// closed form.
bool unite(Terms& terms, std::span<const Term> more, int part);

// The union of primitives, each of them cells of `part` where earlier ones do not hold them.
bool unite(Terms& terms, std::span<const Primitive> primitives, int part);

} // namespace attention
