// Quantiles of a sample, by one definition wherever medians and quartiles are shown: quantile p is
// the value at place p · (count − 1) of the sorted sample, with linear interpolation. The median of
// an even number of values is the mean of the middle two.
#pragma once

#include <span>

namespace attention {

// p in [0, 1]; values are ascending, at least one, and may be infinite: between a finite and an
// infinite value the result is infinite. O(1).
double quantileOf(std::span<const double> sorted, double p);

} // namespace attention
