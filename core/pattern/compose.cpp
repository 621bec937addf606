// Compositions of prepared patterns (S4.18): parts and, where every operand has a closed form, the
// signed terms of the result.
#include "core/pattern/prepared.h"

#include <cassert>

namespace attention {
namespace {

using Operands = std::vector<std::shared_ptr<const Prepared>>;

bool allClosed(const Operands& of) {
  for (const auto& operand : of)
    if (!operand->closedForm() || operand->hasTables())
      return false;
  return true;
}

bool add(Terms& terms, const Terms& more, int sign) {
  attention::add(terms, more, sign, 0);
  return terms.size() <= kMostTerms;
}

std::optional<Terms> unionTerms(const Operands& of) {
  Terms terms;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (!unite(terms, of[k]->terms(), static_cast<int>(k)))
      return std::nullopt;
  return terms;
}

// a − b, a + b − 2 ab, a b by the indicator functions.
std::optional<Terms> combined(Operation operation, const Terms& a, std::span<const Term> b) {
  const auto both = product(a, b);
  if (!both)
    return std::nullopt;
  if (operation == Operation::Intersection)
    return both;
  Terms terms = a;
  bool fits = add(terms, *both, operation == Operation::Difference ? -1 : -2);
  if (operation == Operation::SymmetricDifference)
    fits = fits && add(terms, Terms(b.begin(), b.end()), 1);
  if (!fits)
    return std::nullopt;
  return terms;
}

Terms inPartZero(std::span<const Term> terms) {
  Terms copy;
  attention::add(copy, terms, 1, 0);
  return copy;
}

std::optional<Terms> resultTerms(Operation operation, const Operands& of) {
  if (!allClosed(of))
    return std::nullopt;
  if (operation == Operation::Union)
    return unionTerms(of);
  std::optional<Terms> terms = inPartZero(of.front()->terms());
  if (operation == Operation::Complement) {
    Terms rest{{area(kEverywhere), 1, 0}};
    if (!add(rest, *terms, -1))
      return std::nullopt;
    return rest;
  }
  for (std::size_t k = 1; k < of.size() && terms; ++k)
    terms = combined(operation, *terms, inPartZero(of[k]->terms()));
  return terms;
}

} // namespace

std::shared_ptr<const Prepared> compose(Operation operation, Operands of,
                                        const std::vector<std::string>& names) {
  assert(!of.empty() && names.size() >= of.size());
  const Lengths lengths = of.front()->lengths();
  auto terms = resultTerms(operation, of);
  std::vector<Part> parts;
  if (operation == Operation::Union)
    for (std::size_t k = 0; k < of.size(); ++k)
      parts.push_back({std::to_string(k + 1), names[k], Composition{Operation::Union, {of[k]}}});
  else
    parts.push_back({"cells", "result", Composition{operation, std::move(of)}});
  return std::make_shared<const Prepared>(lengths, std::move(parts), std::move(terms));
}

} // namespace attention
