#include "core/support/quantile.h"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace attention {

double quantileOf(std::span<const double> sorted, double p) {
  assert(!sorted.empty() && p >= 0 && p <= 1);
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const double share = place - std::floor(place);
  const double low = sorted[below];
  if (share == 0 || std::isinf(low)) // 0 · ∞ and ∞ − ∞ are NaN
    return low;
  return low + share * (sorted[below + 1] - low);
}

} // namespace attention
