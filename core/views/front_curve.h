// The Pareto front of a plot of costs, for the views that draw one.
#pragma once

#include "core/plot/curves.h"

#include <span>

namespace attention {

// Through the points (cost, value) that no other one beats in both, dashed and without a marker;
// points that are not finite are left out.
Curve frontCurve(std::span<const Point> points, bool moreIsBetter);

} // namespace attention
