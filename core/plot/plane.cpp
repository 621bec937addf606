#include "core/plot/plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attention {
namespace {

// Twice the area of the triangle, positive to the left.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

constexpr double kFar = 1e4;   // sides of the box: as good as infinitely far
constexpr double kNear = 1e-6; // pixels within which a point is on an edge, whatever its rounding

Point between(const Point& a, const Point& b, double share) {
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

// Moves what lies far beyond an edge closer (clipping huge numbers would be inexact), and what only
// rounding separates from an edge onto it: a line along the edge lies in the box.
double tamed(double at, double least, double most, double far) {
  for (const double edge : {least, most})
    if (std::abs(at - edge) < kNear)
      return edge;
  return std::clamp(at, least - far, most + far);
}
Point tamed(const Point& p, const Box& box) {
  const double far = kFar * std::max({box.width, box.height, 1.0});
  return {tamed(p.x, box.x, box.right(), far), tamed(p.y, box.y, box.bottom(), far)};
}

bool finite(const Point& p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

// The shares of the segment a … b between which it lies in the box (Liang & Barsky 1984).
std::optional<std::array<double, 2>> sharesInside(const Point& a, const Point& b, const Box& box) {
  double enter = 0;
  double leave = 1;
  const auto cut = [&](double delta, double distance) {
    // delta · share ≤ distance.
    if (delta == 0)
      return distance >= 0;
    const double share = distance / delta;
    if (delta < 0)
      enter = std::max(enter, share);
    else
      leave = std::min(leave, share);
    return enter <= leave;
  };
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  if (cut(-dx, a.x - box.x) && cut(dx, box.right() - a.x) && cut(-dy, a.y - box.y) &&
      cut(dy, box.bottom() - a.y))
    return std::array{enter, leave};
  return std::nullopt;
}

// The shares of a segment of a strip at which one of its lines meets an edge of the box.
std::vector<double> breaks(const std::array<Point, 2>& above, const std::array<Point, 2>& below,
                           const Box& box) {
  std::vector<double> shares{0, 1};
  const auto add = [&](double from, double to, double edge) {
    const double share = (edge - from) / (to - from);
    if (share > 0 && share < 1)
      shares.push_back(share);
  };
  for (const auto& line : {above, below})
    for (const double edge : {box.y, box.bottom()})
      add(line[0].y, line[1].y, edge);
  for (const double edge : {box.x, box.right()})
    add(above[0].x, above[1].x, edge);
  std::sort(shares.begin(), shares.end());
  return shares;
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

std::vector<std::vector<Point>> insideBox(std::span<const Point> points, const Box& box) {
  std::vector<std::vector<Point>> pieces;
  bool open = false; // whether the last piece ends where the next segment begins
  for (std::size_t k = 1; k < points.size(); ++k) {
    const Point a = tamed(points[k - 1], box);
    const Point b = tamed(points[k], box);
    const bool known = finite(points[k - 1]) && finite(points[k]);
    const auto shares = known ? sharesInside(a, b, box) : std::nullopt;
    if (!shares) {
      open = false;
      continue;
    }
    if (!open || (*shares)[0] > 0)
      pieces.push_back({between(a, b, (*shares)[0])});
    pieces.back().push_back(between(a, b, (*shares)[1]));
    open = (*shares)[1] == 1;
  }
  return pieces;
}

std::vector<Strip> insideBox(const Strip& strip, const Box& box) {
  const auto clamped = [&](Point p) { return Point{p.x, std::clamp(p.y, box.y, box.bottom())}; };
  std::vector<Strip> pieces;
  bool open = false;
  for (std::size_t k = 1; k < strip.above.size(); ++k) {
    const std::array above{tamed(strip.above[k - 1], box), tamed(strip.above[k], box)};
    const std::array below{tamed(strip.below[k - 1], box), tamed(strip.below[k], box)};
    const bool known = std::isfinite(above[0].x + above[1].x) && !std::isnan(above[0].y) &&
                       !std::isnan(above[1].y) && !std::isnan(below[0].y) &&
                       !std::isnan(below[1].y);
    if (!known || above[0].x > box.right() || above[1].x < box.x) {
      open = false;
      continue;
    }
    for (const double share : breaks(above, below, box)) {
      const Point top = between(above[0], above[1], share);
      if (top.x < box.x - 1e-9 || top.x > box.right() + 1e-9 || (open && share == 0))
        continue;
      if (!open)
        pieces.push_back({{}, {}, strip.color});
      open = true;
      pieces.back().above.push_back(clamped(top));
      pieces.back().below.push_back(clamped(between(below[0], below[1], share)));
    }
  }
  return pieces;
}

} // namespace attention
