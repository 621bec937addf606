// The Pareto front of points, where less x and more y are better: those that no other point
// beats.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace attention {

struct CostAndGain {
  double cost = 0;
  double gain = 0;
};

// Indices of the front by rising cost; of equal points the first. Points that are not finite are
// left out. O(n log n).
std::vector<std::size_t> paretoFront(std::span<const CostAndGain> points);

} // namespace attention
