// Mean and variance of random-feature estimates φ(x)·φ(y) of the softmax kernel SM = e^{x·y} in
// closed form (S7.4), for x and y that are scaled already. With z = x + y, s = |z|², t = |x − y|²,
// L = exp(−(|x|² + |y|²)/2) and v projections, Lemma 2 of Choromanski et al. 2021 (iid):
//
//   trig        (1/2v) L⁻² (1 − e^−t)²      positive  (1/v) L² (e^2s − e^s)
//   hyperbolic  (1/2v) L² (e^s − 1)²        the mean is SM for all three
//
// Orthogonal projections: B ordered pairs of rows within blocks add B/v² (pair − mean²), where
// pair is 1F1(d; d/2; s/2) for norms chi and 0F1(; d/2; d s/2) for sqrt_d (−t instead of s for
// trig). With sqrt_d the mean is SMREG = L · 0F1(; d/2; d s/4) ≤ SM (Theorem 1).
#pragma once

#include "core/attention/features/feature_map.h"
#include "core/attention/features/projection.h"
#include "core/support/integers.h"

#include <span>

namespace attention {

// Trig, Positive or Hyperbolic.
struct Estimator {
  FeatureMap map = FeatureMap::Positive;
  ProjectionKind projection = ProjectionKind::Orthogonal;
  Norms norms = Norms::Chi; // lengths of the rows
  bool operator==(const Estimator&) const = default;
};

// Moments of the estimate with one projection, and of two in one block; those for any v projections
// follow from them.
struct ProjectionMoments {
  double kernel = 0; // SM
  double mean = 0;
  double single = 0; // variance of one projection's term
  double pair = 0;   // covariance of two different ones in a block; 0 for iid
};

struct Moments {
  double kernel = 0;
  double mean = 0;
  double variance = 0;
  double mse = 0; // variance + (mean − kernel)²
};

// E_RANGE: another map; E_SHAPE: x and y of different lengths or empty. O(d + s) terms.
ProjectionMoments projectionMoments(const Estimator& estimator, std::span<const double> x,
                                    std::span<const double> y);

// B: ordered pairs of different rows in one block of d.
double blockPairs(Index projections, Index d);

// For v projections of length d. E_RANGE: v < 1.
Moments momentsOf(const ProjectionMoments& of, Index projections, Index d);
Moments estimatorMoments(const Estimator& estimator, std::span<const double> x,
                         std::span<const double> y, Index projections);

// Lemma 2 as printed. E_RANGE: another map.
double lemma2Mse(FeatureMap map, std::span<const double> x, std::span<const double> y,
                 Index projections);

// Theorem 1: the least ratio SMREG / SM in d dimensions, up to o(d^−⅓): 1 − 2 / d^⅓.
double theorem1LeastRatio(Index d);

// Theorem 2: an upper bound on the MSE of positive orthogonal features,
// lemma2Mse − 2 (v − 1) / (v (d + 2)) (SM − L)². E_RANGE unless v ≤ d.
double theorem2Bound(std::span<const double> x, std::span<const double> y, Index projections);

// Theorem 4: the order of v for which orthogonal trig features give |Â − A|_∞ ≤ epsilon for rows of
// length at most radius: (d / δ²) ln(4 d^¾ R / δ), δ = ε / h*², h* = exp(R² / (2 √d)). It does not
// depend on n. E_RANGE: d < 1, radius or epsilon not positive.
double theorem4Order(Index d, double radius, double epsilon);

// ---- the two hypergeometric functions in these moments, for an integer d ≥ 1 ----

// ln 1F1(d; d/2; z), z ≥ 0. O(√(z + d)) terms, few where z is far above d².
double logKummer(Index d, double z);
// 1F1(d; d/2; −z), z ≥ 0, to an absolute error of a few 10^−16.
double kummerOfNegative(Index d, double z);

// ln 0F1(; d/2; z), z ≥ 0. O(⁴√z) terms, few where √z is far above d².
double logBesselSeries(Index d, double z);
// 0F1(; d/2; −z), z ≥ 0: the mean of cos(w·u) over directions of w, |w| |u| = 2 √z.
double besselOfNegative(Index d, double z);

} // namespace attention
