// Lines and strips cut to a box: display lists know no clipping.
#pragma once

#include "core/figure/display_list.h"

#include <span>
#include <vector>

namespace attention {

// The pieces of the line through `points` that lie in `box`; a point that is not finite parts it.
std::vector<std::vector<Point>> insideBox(std::span<const Point> points, const Box& box);

// The pieces of the area between two lines (as in Strip, rising x) that lie in `box`. An infinite y
// counts as far beyond the edge; NaN parts it.
std::vector<Strip> insideBox(const Strip& strip, const Box& box);

} // namespace attention
