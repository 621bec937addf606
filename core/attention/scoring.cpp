#include "core/attention/scoring.h"

#include "core/attention/attend.h"
#include "core/attention/number_checks.h"
#include "core/attention/vector_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

// c as a number of the type, above 0.
template <class T>
T within(double c) {
  using Limits = std::numeric_limits<T>;
  return static_cast<T>(
      std::clamp(c, static_cast<double>(Limits::min()), static_cast<double>(Limits::max())));
}

template <class T>
void addBias(std::span<T> scores, const Scoring& scoring, Index i, Index first) {
  const Index token = i + scoring.offset;
  for (std::size_t t = 0; t < scores.size(); ++t)
    scores[t] += static_cast<T>(scoring.bias.at(token, first + static_cast<Index>(t)));
}

} // namespace

double Scoring::operator()(double product, Index i, Index j) const {
  return walk(product, i, j, [](ScoreStep, double) {});
}

bool Scoring::onlyScales() const {
  return !softcap && bias.none() && temperature == 1 && !sink;
}

template <class T>
void scoreProducts(std::span<T> products, const Scoring& scoring, Index i, Index first) {
  const auto scale = static_cast<T>(scoring.scale);
  for (T& x : products)
    x *= scale;
  const bool biased = !scoring.bias.none();
  if (biased && scoring.biasFirst)
    addBias(products, scoring, i, first);
  if (scoring.softcap)
    capRow<T>(products, within<T>(*scoring.softcap));
  if (biased && !scoring.biasFirst)
    addBias(products, scoring, i, first);
  if (scoring.temperature != 1)
    divideRow<T>(products, static_cast<T>(scoring.temperature));
}

template void scoreProducts(std::span<float>, const Scoring&, Index, Index);
template void scoreProducts(std::span<double>, const Scoring&, Index, Index);

Scoring scoringOf(const AttendOptions& options, Index d, const Lengths& lengths) {
  const Scoring scoring{options.scale.value_or(1.0 / std::sqrt(static_cast<double>(d))),
                        options.softcap,
                        options.bias,
                        options.biasFirst,
                        options.temperature,
                        options.sink,
                        lengths.offset};
  requireFinite(scoring.scale, "scale");
  if (scoring.softcap)
    requirePositive(*scoring.softcap, "softcap");
  requirePositive(scoring.temperature, "temperature");
  if (scoring.sink)
    requireFinite(*scoring.sink, "sink");
  return scoring;
}

ScaleFactors scaleFactors(const AttendOptions& options, Index d) {
  if (options.temperature == 1)
    return scaleFactors(options.scale, d);
  const double own = 1.0 / std::sqrt(static_cast<double>(d));
  return scaleFactors(options.scale.value_or(own) / options.temperature, d);
}

ScaleFactors scaleFactors(const std::optional<double>& scale, Index d) {
  if (!scale)
    return {};
  const double ofBoth = *scale * std::sqrt(static_cast<double>(d));
  const double each = std::sqrt(std::abs(ofBoth));
  return {std::copysign(each, ofBoth), each};
}

} // namespace attention
