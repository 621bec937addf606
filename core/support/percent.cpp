#include "core/support/percent.h"

#include "core/support/text.h"

#include <algorithm>

namespace attention {
namespace {

// Nearer to one, sums that were rounded differ from it too.
constexpr double kNotQuiteAll = 1 - 1e-9;

} // namespace

std::string sharePercent(double share) {
  const std::string unit = "\u2009%";
  if (share > 0 && share < 0.0005)
    return "< 0.1" + unit;
  if (share < kNotQuiteAll && share >= 0.9995)
    return "> 99.9" + unit;
  return fixed(100 * (share > -0.0005 ? std::max(0.0, share) : share), 1) + unit; // no "-0.0"
}

std::string percentText(double share, int digits) {
  return fixed(100 * share, digits) + " %";
}

} // namespace attention
