// Prefix language model: the prefix is seen by all, the rest is causal (S4.14).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct PrefixLm {
  std::optional<Index> prefix; // required
  bool operator==(const PrefixLm&) const = default;
};

const Description& describe(const PrefixLm&);
std::shared_ptr<const Prepared> prepared(const PrefixLm& prefixLm, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
