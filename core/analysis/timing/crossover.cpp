#include "core/analysis/timing/crossover.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attention {
namespace {

// Both at one size.
struct Pair {
  Index n = 1;
  SampleSummary first;
  SampleSummary second;

  // ln of their ratio: below 0 if the first one is faster.
  double lead() const { return std::log(first.median) - std::log(second.median); }
  bool firstLeads() const { return first.q3 < second.q1; }
  bool decided() const {
    return std::min(first.samples, second.samples) >= kFewestForCrossover &&
           (firstLeads() || second.q3 < first.q1);
  }
};

std::vector<Pair> commonSizes(std::span<const TimedSize> first, std::span<const TimedSize> second) {
  std::vector<Pair> pairs;
  std::size_t b = 0;
  for (const TimedSize& a : first) {
    while (b < second.size() && second[b].n < a.n)
      ++b;
    if (b < second.size() && second[b].n == a.n && a.seconds.median > 0 &&
        second[b].seconds.median > 0)
      pairs.push_back({a.n, a.seconds, second[b].seconds});
  }
  return pairs;
}

// The first crossing of the medians between pairs[from] and pairs[to], whose orders differ.
double crossing(const std::vector<Pair>& pairs, std::size_t from, std::size_t to) {
  std::size_t k = from;
  while (k + 1 < to && (pairs[k].lead() < 0) == (pairs[k + 1].lead() < 0))
    ++k;
  const double below = std::log(static_cast<double>(pairs[k].n));
  const double above = std::log(static_cast<double>(pairs[k + 1].n));
  const double share = pairs[k].lead() / (pairs[k].lead() - pairs[k + 1].lead());
  return std::exp(below + share * (above - below));
}

} // namespace

std::vector<Crossover> crossoversOf(std::span<const TimedSize> first,
                                    std::span<const TimedSize> second) {
  const std::vector<Pair> pairs = commonSizes(first, second);
  std::vector<Crossover> crossovers;
  std::optional<std::size_t> last; // decided
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (!pairs[k].decided())
      continue;
    if (last && pairs[*last].firstLeads() != pairs[k].firstLeads())
      crossovers.push_back(
          {crossing(pairs, *last, k), pairs[*last].n, pairs[k].n, pairs[*last].firstLeads()});
    last = k;
  }
  return crossovers;
}

} // namespace attention
