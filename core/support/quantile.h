// Quantiles of a sample, by one definition wherever medians and quartiles are told: quantile p is
// the value at place p · (count − 1) of the sorted sample, linear between two neighbours. The
// median of an even number of values is the mean of the middle two.
#pragma once

#include <span>

namespace attention {

// p in [0, 1]; values rise, at least one, and may be infinite: between a finite one and an infinite
// one lies the infinite one. O(1).
double quantileOf(std::span<const double> sorted, double p);

} // namespace attention
