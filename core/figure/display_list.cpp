#include "core/figure/display_list.h"

#include <array>

namespace attention {

std::span<const double> dashLengths(Dash dash) {
  static constexpr std::array<double, 2> kDashed{4, 2.5};
  static constexpr std::array<double, 2> kDotted{1.2, 2};
  static constexpr std::array<double, 4> kDashDotted{4, 2, 1.2, 2};
  switch (dash) {
  case Dash::Dashed:
    return kDashed;
  case Dash::Dotted:
    return kDotted;
  case Dash::DashDotted:
    return kDashDotted;
  case Dash::Solid:
    break;
  }
  return {};
}

} // namespace attention
