// The rows of keys that attention reads from a pattern: those of the union of its parts, or of one
// part after another where they combine differently (outputs.h). Layers of a part are sets: a key
// that a part sees twice is in two of them.
#pragma once

#include "core/pattern/prepared.h"

#include <span>

namespace attention {

class PartRows {
public:
  explicit PartRows(const Prepared& pattern) : pattern_(pattern) {}

  // 1 where one softmax takes the union.
  std::size_t parts() const { return combined() ? pattern_.parts().size() : 1; }
  std::size_t layers(std::size_t part) const;

  // The keys of query i, disjoint and sorted; empty for a lone query.
  void row(std::size_t part, std::size_t layer, Index i, KeyRanges& ranges) const;

  // Whether query i sees no key of the part except its own, which then has the logit loneLogit().
  bool lone(std::size_t part, Index i) const;
  double loneLogit() const { return *pattern_.outputs().loneLogit; }
  bool anyLone() const { return combined() && pattern_.outputs().loneLogit.has_value(); }

  Combine combine() const { return pattern_.outputs().combine; }
  // Whether softmaxes are added with gates (Branches) in place of the parts' one.
  bool gated() const { return pattern_.branches() != nullptr; }
  // An order of the queries in which neighbours share keys; empty: in their own order.
  std::span<const Index> order(std::size_t part) const;

private:
  bool combined() const { return pattern_.outputs().combine != Combine::Union; }

  const Prepared& pattern_;
};

} // namespace attention
