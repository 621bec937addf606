#include "core/analysis/feature_moments.h"

#include "core/support/error.h"
#include "core/support/number_text.h"

#include <cmath>
#include <string>

namespace attention {
namespace {

struct Geometry {
  double logL = 0;  // −(|x|² + |y|²)/2
  double s = 0;     // |x + y|²
  double t = 0;     // |x − y|²
  double inner = 0; // x·y
};

Geometry geometryOf(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size() || x.empty())
    throw Error(ErrorCode::Shape, "y",
                "x has " + countText(x.size(), "number") + " and y " + std::to_string(y.size()) +
                    "; both must be the same, at least 1");
  Geometry g;
  for (std::size_t c = 0; c < x.size(); ++c) {
    g.logL -= (x[c] * x[c] + y[c] * y[c]) / 2;
    g.s += (x[c] + y[c]) * (x[c] + y[c]);
    g.t += (x[c] - y[c]) * (x[c] - y[c]);
    g.inner += x[c] * y[c];
  }
  return g;
}

[[noreturn]] void throwMap(FeatureMap map) {
  throwRange("features", std::string(name(map)), "trig, positive or hyperbolic");
}

void requireProjections(Index projections) {
  if (projections < 1)
    throwRange("m", std::to_string(projections), "an integer of at least 1");
}

// ln E exp(w·u) with |u|² = square.
double logSingle(Norms norms, Index d, double square) {
  if (norms == Norms::Chi)
    return square / 2;
  return logBesselSeries(d, static_cast<double>(d) * square / 4);
}

// ln E exp((w1 + w2)·u), w1 orthogonal to w2.
double logPair(Norms norms, Index d, double square) {
  if (norms == Norms::Chi)
    return logKummer(d, square / 2);
  return logBesselSeries(d, static_cast<double>(d) * square / 2);
}

// The same of cosines: E cos(w·u), E cos((w1 + w2)·u).
double cosSingle(Norms norms, Index d, double square) {
  if (norms == Norms::Chi)
    return std::exp(-square / 2);
  return besselOfNegative(d, static_cast<double>(d) * square / 4);
}

double cosPair(Norms norms, Index d, double square) {
  if (norms == Norms::Chi)
    return kummerOfNegative(d, square / 2);
  return besselOfNegative(d, static_cast<double>(d) * square / 2);
}

// With factor 1/L.
ProjectionMoments trigMoments(const Estimator& of, const Geometry& g, Index d) {
  const double mean = cosSingle(of.norms, d, g.t);
  const double spread = of.norms == Norms::Chi
                            ? 0.5 * std::expm1(-g.t) * std::expm1(-g.t)
                            : (1 + cosSingle(of.norms, d, 4 * g.t)) / 2 - mean * mean;
  const bool iid = of.projection == ProjectionKind::Iid;
  const double pair = iid ? 0 : cosPair(of.norms, d, g.t) - mean * mean;
  const double factor = std::exp(-2 * g.logL);
  // 0 · ∞: at t = 0 the estimate is exact however long the vectors are.
  const auto scaled = [&](double x) { return x == 0 ? 0.0 : factor * x; };
  return {std::exp(g.inner), std::exp(-g.logL) * mean, scaled(spread), scaled(pair)};
}

// With factor L. Exponents are added before exp, since e^2s alone may overflow.
ProjectionMoments exponentialMoments(const Estimator& of, const Geometry& g, Index d) {
  const double logMean = g.logL + logSingle(of.norms, d, g.s);
  const double logSecond = 2 * g.logL + logSingle(of.norms, d, 4 * g.s);
  const double square = std::exp(2 * logMean);
  ProjectionMoments moments{std::exp(g.inner), std::exp(logMean), 0, 0};
  if (of.map == FeatureMap::Positive)
    moments.single = square * std::expm1(logSecond - 2 * logMean);
  else if (of.norms == Norms::Chi)
    moments.single = 0.5 * square * std::exp(-g.s) * std::expm1(g.s) * std::expm1(g.s);
  else
    moments.single = (std::exp(2 * g.logL) + std::exp(logSecond)) / 2 - square;
  if (of.projection == ProjectionKind::Orthogonal)
    moments.pair = square * std::expm1(2 * g.logL + logPair(of.norms, d, g.s) - 2 * logMean);
  return moments;
}

} // namespace

ProjectionMoments projectionMoments(const Estimator& estimator, std::span<const double> x,
                                    std::span<const double> y) {
  const Geometry g = geometryOf(x, y);
  const auto d = static_cast<Index>(x.size());
  switch (estimator.map) {
  case FeatureMap::Trig:
    return trigMoments(estimator, g, d);
  case FeatureMap::Positive:
  case FeatureMap::Hyperbolic:
    return exponentialMoments(estimator, g, d);
  case FeatureMap::GaussianTrig:
  case FeatureMap::Relu:
  case FeatureMap::Elu1:
    break;
  }
  throwMap(estimator.map);
}

double blockPairs(Index projections, Index d) {
  const Index blocks = projections / d;
  const auto full = static_cast<double>(blocks);
  const auto rest = static_cast<double>(projections % d);
  const auto width = static_cast<double>(d);
  return full * width * (width - 1) + rest * (rest - 1);
}

Moments momentsOf(const ProjectionMoments& of, Index projections, Index d) {
  requireProjections(projections);
  const auto v = static_cast<double>(projections);
  Moments moments{of.kernel, of.mean, 0, 0};
  const double pairs = of.pair == 0 ? 0 : blockPairs(projections, d) * of.pair;
  moments.variance = (v * of.single + pairs) / (v * v);
  const double bias = of.mean - of.kernel;
  moments.mse = moments.variance + bias * bias;
  return moments;
}

Moments estimatorMoments(const Estimator& estimator, std::span<const double> x,
                         std::span<const double> y, Index projections) {
  return momentsOf(projectionMoments(estimator, x, y), projections, static_cast<Index>(x.size()));
}

double lemma2Mse(FeatureMap map, std::span<const double> x, std::span<const double> y,
                 Index projections) {
  requireProjections(projections);
  const Geometry g = geometryOf(x, y);
  const auto v = static_cast<double>(projections);
  const double sm = std::exp(g.inner);
  const double plus = std::exp(g.s) * sm * sm * -std::expm1(-g.s) / v;
  switch (map) {
  case FeatureMap::Trig:
    return std::exp(g.s) / (sm * sm) * std::expm1(-g.t) * std::expm1(-g.t) / (2 * v);
  case FeatureMap::Positive:
    return plus;
  case FeatureMap::Hyperbolic:
    return 0.5 * -std::expm1(-g.s) * plus;
  case FeatureMap::GaussianTrig:
  case FeatureMap::Relu:
  case FeatureMap::Elu1:
    break;
  }
  throwMap(map);
}

double theorem1LeastRatio(Index d) {
  if (d < 1)
    throwRange("d", std::to_string(d), "an integer of at least 1");
  return 1 - 2 / std::cbrt(static_cast<double>(d));
}

double theorem2Bound(std::span<const double> x, std::span<const double> y, Index projections) {
  const auto d = static_cast<Index>(x.size());
  if (projections < 1 || projections > d)
    throwRange("m", std::to_string(projections),
               "an integer from 1 to d = " + std::to_string(d) + " (Theorem 2)");
  const Geometry g = geometryOf(x, y);
  const auto v = static_cast<double>(projections);
  const double gap = std::exp(g.inner) - std::exp(g.logL);
  return lemma2Mse(FeatureMap::Positive, x, y, projections) -
         2 * (v - 1) / (v * static_cast<double>(d + 2)) * gap * gap;
}

double theorem4Order(Index d, double radius, double epsilon) {
  if (d < 1)
    throwRange("d", std::to_string(d), "an integer of at least 1");
  if (!(radius > 0))
    throwRange("radius", std::to_string(radius), "a positive number");
  if (!(epsilon > 0))
    throwRange("epsilon", std::to_string(epsilon), "a positive number");
  const auto width = static_cast<double>(d);
  const double delta = epsilon / std::exp(radius * radius / std::sqrt(width));
  return width / (delta * delta) * std::log(4 * std::pow(width, 0.75) * radius / delta);
}

} // namespace attention
