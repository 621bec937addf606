// Samples of one time as their order statistics: noise only ever adds, so the median and quartiles
// show how long a user waits, and the minimum what the machine can do.
#pragma once

#include "core/support/integers.h"

#include <vector>

namespace attention {

// Quantiles as quantileOf.
struct SampleSummary {
  double median = 0;
  double q1 = 0;
  double q3 = 0;
  double minimum = 0;
  Index samples = 0;

  // (q3 − q1) / median; 0 if the median is 0.
  double spread() const { return median > 0 ? (q3 - q1) / median : 0; }
  bool operator==(const SampleSummary&) const = default;
};

// All zero without samples. O(count log count).
SampleSummary summaryOf(std::vector<double> samples);

} // namespace attention
