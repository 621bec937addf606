#include "core/pattern/signed_terms.h"

#include <algorithm>

namespace attention {
namespace {

// Adds up equal terms; what remains is sorted, so equal sets give equal lists.
void collect(Terms& terms) {
  const auto key = [](const Term& t) { return std::pair(t.part, t.primitive); };
  std::sort(terms.begin(), terms.end(),
            [&](const Term& a, const Term& b) { return key(a) < key(b); });
  Terms kept;
  for (const Term& term : terms) {
    if (!kept.empty() && key(kept.back()) == key(term))
      kept.back().sign += term.sign;
    else
      kept.push_back(term);
    if (kept.back().sign == 0)
      kept.pop_back();
  }
  terms = std::move(kept);
}

} // namespace

Index count(std::span<const Term> terms, const Rect& rect) {
  Index sum = 0;
  for (const Term& term : terms)
    sum += term.sign * count(term.primitive, rect);
  return sum;
}

std::optional<Terms> product(std::span<const Term> a, std::span<const Term> b) {
  Terms both;
  for (const Term& x : a)
    for (const Term& y : b) {
      const auto common = intersection(x.primitive, y.primitive);
      if (!common)
        return std::nullopt;
      if (!common->clip.empty())
        both.push_back({*common, x.sign * y.sign, 0});
      if (both.size() > 4 * kMostTerms)
        return std::nullopt;
    }
  collect(both);
  if (both.size() > kMostTerms)
    return std::nullopt;
  return both;
}

void add(Terms& terms, std::span<const Term> more, int sign, int part) {
  for (const Term& term : more)
    terms.push_back({term.primitive, sign * term.sign, part});
  collect(terms);
}

bool unite(Terms& terms, std::span<const Term> more, int part) {
  const auto common = product(terms, more);
  if (!common || terms.size() + more.size() + common->size() > kMostTerms)
    return false;
  add(terms, more, 1, part);
  add(terms, *common, -1, part);
  return true;
}

bool unite(Terms& terms, std::span<const Primitive> primitives, int part) {
  Terms united = terms;
  for (const Primitive& primitive : primitives) {
    const Term term{primitive, 1, part};
    if (!unite(united, std::span(&term, 1), part))
      return false;
  }
  terms = std::move(united);
  return true;
}

} // namespace attention
