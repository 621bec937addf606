// The columns of a comb, as corners and rows of pixels count them.
#pragma once

#include "core/pattern/primitive.h"

#include <algorithm>

namespace attention {

// Number of j < x with lo ≤ j mod period < hi (S12, N).
inline Index columnsBelow(const Primitive& p, Index x) {
  const Index width = p.hi - p.lo;
  return x / p.period * width + std::clamp<Index>(x % p.period - p.lo, 0, width);
}

} // namespace attention
