#include "core/analysis/steps/shown_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

constexpr std::size_t kShareOfNearest = 3; // one in so many

// Takes the first not yet taken ones from `order`, up to `most` in all.
void takeFirst(const std::vector<std::size_t>& order, std::size_t most, std::vector<char>& taken) {
  auto count = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), 1));
  for (const std::size_t t : order) {
    if (count >= most)
      return;
    if (taken[t] == 0) {
      taken[t] = 1;
      ++count;
    }
  }
}

// The places of the keys, those with the least cost first.
std::vector<std::size_t> orderBy(std::size_t keys, const auto& cost) {
  std::vector<std::size_t> order(keys);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
  return order;
}

} // namespace

ShownKeys shownKeys(std::span<const Index> visible, std::span<const double> weights, Index token,
                    std::span<const Index> chosen, std::size_t most) {
  assert(visible.size() == weights.size());
  if (visible.size() <= most)
    return {{visible.begin(), visible.end()}, {}};
  std::vector<char> taken(visible.size());
  std::vector<std::size_t> pinned;
  for (const Index key : chosen)
    if (const auto found = std::lower_bound(visible.begin(), visible.end(), key);
        found != visible.end() && *found == key)
      pinned.push_back(static_cast<std::size_t>(found - visible.begin()));
  takeFirst(pinned, most, taken);
  const auto nearest =
      orderBy(visible.size(), [&](std::size_t t) { return std::abs(visible[t] - token); });
  takeFirst(nearest, std::min(most, pinned.size() + most / kShareOfNearest), taken);
  takeFirst(orderBy(visible.size(), [&](std::size_t t) { return -std::abs(weights[t]); }), most,
            taken);
  ShownKeys shown;
  for (std::size_t t = 0; t < visible.size(); ++t)
    (taken[t] != 0 ? shown.keys : shown.others).push_back(visible[t]);
  return shown;
}

double sumOver(std::span<const Index> keys, std::span<const double> values) {
  double sum = 0;
  for (const Index key : keys)
    sum += values[static_cast<std::size_t>(key)];
  return sum;
}

} // namespace attention
