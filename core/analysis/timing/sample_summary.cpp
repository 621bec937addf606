#include "core/analysis/timing/sample_summary.h"

#include <algorithm>
#include <cmath>

namespace attention {

SampleSummary summaryOf(std::vector<double> samples) {
  if (samples.empty())
    return {};
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double p) {
    const double place = p * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    const double share = place - std::floor(place);
    return samples[below] + share * (samples[above] - samples[below]);
  };
  return {quantile(0.5), quantile(0.25), quantile(0.75), samples.front(),
          static_cast<Index>(samples.size())};
}

} // namespace attention
