#include "core/figure/plane.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Twice the area of the triangle, positive to the left.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

} // namespace

double distance(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

double distanceToBox(const Point& p, const Box& box) {
  return distance(p, {std::clamp(p.x, box.x, box.right()), std::clamp(p.y, box.y, box.bottom())});
}

double distanceToSegment(const Point& p, const LineSegment& segment) {
  const auto& [a, b] = segment;
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double share =
      square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return distance(p, {a.x + share * dx, a.y + share * dy});
}

bool meet(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

bool cross(const LineSegment& a, const LineSegment& b) {
  return turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0 &&
         turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0;
}

bool passes(const LineSegment& segment, const Box& box) {
  const auto within = [&](const Point& p) {
    return p.x > box.x && p.x < box.right() && p.y > box.y && p.y < box.bottom();
  };
  const Point corner{box.right(), box.bottom()};
  return within(segment.from) || within(segment.to) || cross(segment, {{box.x, box.y}, corner}) ||
         cross(segment, {{box.x, corner.y}, {corner.x, box.y}});
}

Box grown(const Box& box, double by) {
  return {box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by};
}

} // namespace attention
