// Distances and crossings in the plane of a picture, and clipping to a box.
#pragma once

#include "core/plot/display_list.h"

#include <span>
#include <vector>

namespace attention {

// A straight line between two points.
struct LineSegment {
  Point from;
  Point to;
};

double distance(const Point& a, const Point& b);
double distanceToBox(const Point& p, const Box& box); // zero inside
double distanceToSegment(const Point& p, const LineSegment& segment);

// Whether two share more than an edge.
bool meet(const Box& a, const Box& b);
// Whether they cross between their ends.
bool cross(const LineSegment& a, const LineSegment& b);
// Whether any of it is inside `box`.
bool passes(const LineSegment& segment, const Box& box);

// The box grown equally on every side.
Box grown(const Box& box, double by);

// ---- lines and strips clipped to a box: display lists have no clipping ----

// The pieces of the line through `points` that lie in `box`; a point that is not finite splits it.
std::vector<std::vector<Point>> insideBox(std::span<const Point> points, const Box& box);

// The pieces of the area between two lines (as in Strip, x ascending) that lie in `box`. An
// infinite y counts as far beyond the edge; NaN splits it.
std::vector<Strip> insideBox(const Strip& strip, const Box& box);

} // namespace attention
