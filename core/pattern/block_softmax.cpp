#include "core/pattern/block_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {

void softmax(std::span<double> scores) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double s : scores)
    most = std::max(most, s);
  if (std::isinf(most))
    return std::fill(scores.begin(), scores.end(), 0.0);
  double sum = 0;
  for (double& s : scores)
    sum += s = std::exp(s - most);
  for (double& s : scores)
    s /= sum;
}

std::vector<Index> byFallingWeight(std::span<const double> weights) {
  std::vector<Index> order(weights.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return weights[static_cast<std::size_t>(a)] > weights[static_cast<std::size_t>(b)];
  });
  return order;
}

Index prefixesWithin(std::span<const double> falling, double share) {
  double sum = 0;
  Index count = 0;
  for (const double weight : falling) {
    sum += weight;
    if (sum > share)
      break;
    ++count;
  }
  return count;
}

} // namespace attention
