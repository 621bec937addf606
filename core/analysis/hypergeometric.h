// The two hypergeometric functions in the moments of orthogonal random features, at the arguments
// that occur there: 1F1(d; d/2; z) and 0F1(; d/2; z) for an integer d ≥ 1.
//
// Positive z: series of positive terms, summed from the largest to either side in units of it, so
// that nothing overflows or cancels; the logarithm is given. Negative z: Kummer's transformation
// makes 1F1 a sum whose terms stay below 1 together; 0F1 is a short series while |z| is small, else
// a Bessel function of the standard library.
#pragma once

#include "core/support/integers.h"

namespace attention {

// ln 1F1(d; d/2; z), z ≥ 0. O(√(z + d)) terms, few where z is far above d².
double logKummer(Index d, double z);
// 1F1(d; d/2; −z), z ≥ 0, to an absolute error of a few 10^−16.
double kummerOfNegative(Index d, double z);

// ln 0F1(; d/2; z), z ≥ 0. O(⁴√z) terms, few where √z is far above d².
double logBesselSeries(Index d, double z);
// 0F1(; d/2; −z), z ≥ 0: the mean of cos(w·u) over directions of w, |w| |u| = 2 √z.
double besselOfNegative(Index d, double z);

} // namespace attention
