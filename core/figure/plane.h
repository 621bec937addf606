// Distances and crossings in the plane of a picture.
#pragma once

#include "core/figure/display_list.h"

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
// Whether any of it is inside of `box`.
bool passes(const LineSegment& segment, const Box& box);

// Larger by as much on every side.
Box grown(const Box& box, double by);

} // namespace attention
