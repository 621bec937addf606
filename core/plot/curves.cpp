#include "core/plot/curves.h"

#include "core/analysis/score/score_board.h"

#include <vector>

namespace attention {
namespace {

constexpr std::size_t kFrontHue = 7; // no point has it where there are few

} // namespace

Curve frontCurve(std::span<const Point> points, bool moreIsBetter) {
  std::vector<CostAndGain> gains;
  for (const Point& point : points)
    gains.push_back({point.x, moreIsBetter ? point.y : -point.y});
  Curve front;
  front.label = "Pareto front";
  front.hue = kFrontHue;
  front.dash = Dash::Dashed;
  front.kind = CurveKind::Theory;
  for (const std::size_t k : paretoFront(gains))
    front.points.push_back(points[k]);
  return front;
}

} // namespace attention
