// A window with one-sided sizes that do not count the query (S4.4).
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct SlidingWindow {
  Index left = 128;           // −1: unlimited
  std::optional<Index> right; // left, or 0 if causal, if not given
  bool causal = false;
  bool operator==(const SlidingWindow&) const = default;
};

const Description& describe(const SlidingWindow&);
std::shared_ptr<const Prepared> prepared(const SlidingWindow& window, const Lengths& lengths,
                                         const Run& run);

} // namespace attention
