// FlexPrefill (S27; Lai et al. 2025): the last block of queries decides whether a head has vertical
// and slash lines or blocks of its own, and how many it needs to reach a share.
#pragma once

#include "core/pattern/mechanism/mechanism.h"

#include <optional>

namespace attention {

struct FlexPrefill {
  enum class Cover { Reach, Below };

  Index blockSize = 128;
  double gamma = 0.9;
  double tau = 0.1;
  Index minBudget = 1;
  std::optional<Index> maxBudget = {};
  std::optional<Index> countUnit = {}; // block_size
  Cover cover = Cover::Reach;
  bool operator==(const FlexPrefill&) const = default;
};

const Description& describe(const FlexPrefill&);
bool readsData(const FlexPrefill&);
bool takesRectangles(const FlexPrefill&);
// O(b n d + (n / b)² d) time; O((n / b)²) memory where blocks are aware of the query. E_SHAPE for
// n_q ≠ n_k.
std::shared_ptr<const Prepared> prepared(const FlexPrefill& flex, const Lengths& lengths,
                                         const PatternData& data, const Run& run);

} // namespace attention
