#include "core/analysis/timing/sample_summary.h"

#include "core/support/quantile.h"

#include <algorithm>

namespace attention {

SampleSummary summaryOf(std::vector<double> samples) {
  if (samples.empty())
    return {};
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double p) { return quantileOf(samples, p); };
  return {quantile(0.5), quantile(0.25), quantile(0.75), samples.front(),
          static_cast<Index>(samples.size())};
}

} // namespace attention
