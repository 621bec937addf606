#include "core/analysis/score/score_board.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {

std::vector<std::size_t> paretoFront(std::span<const CostAndGain> points) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (std::isfinite(points[k].cost) && std::isfinite(points[k].gain))
      order.push_back(k);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (points[a].cost != points[b].cost)
      return points[a].cost < points[b].cost;
    return points[a].gain != points[b].gain ? points[a].gain > points[b].gain : a < b;
  });
  std::vector<std::size_t> front;
  double best = -std::numeric_limits<double>::infinity();
  for (const std::size_t k : order)
    if (points[k].gain > best) {
      best = points[k].gain;
      front.push_back(k);
    }
  return front;
}

} // namespace attention
