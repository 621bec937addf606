#include "core/plot/display_list.h"

#include <array>
#include <cmath>
#include <numbers>

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

std::vector<Point> cornersOf(MarkerShape shape, const Point& centre, double radius) {
  // Equally many radians apart from one straight up, or from half of that, on a circle.
  const auto regular = [&](int count, double first) {
    const double turn = 2 * std::numbers::pi / count;
    // The polygon's area is count / 2 · reach² · sin turn.
    const double reach = radius * std::sqrt(turn / std::sin(turn));
    std::vector<Point> corners;
    corners.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k)
      corners.push_back({centre.x + reach * std::sin((first + k) * turn),
                         centre.y - reach * std::cos((first + k) * turn)});
    return corners;
  };
  switch (shape) {
  case MarkerShape::Square:
    return regular(4, 0.5);
  case MarkerShape::Triangle:
    return regular(3, 0);
  case MarkerShape::Diamond:
    return regular(4, 0);
  case MarkerShape::Circle:
    break;
  }
  return {};
}

Marker markerOf(std::size_t k) {
  static constexpr std::array kShapes{MarkerShape::Circle, MarkerShape::Square,
                                      MarkerShape::Triangle, MarkerShape::Diamond};
  // By turns, so that where two of them meet both are seen.
  return {kShapes[k % kShapes.size()], (k + k / kShapes.size()) % 2 == 1};
}

} // namespace attention
