#include "core/attention/scoring.h"

#include "core/attention/attend.h"
#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

// c as a number of the type, above 0.
template <class T>
T within(double c) {
  using Limits = std::numeric_limits<T>;
  return static_cast<T>(
      std::clamp(c, static_cast<double>(Limits::min()), static_cast<double>(Limits::max())));
}

void requireFinite(const char* name, double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::NonFinite, name,
                std::string(name) + " is " + (std::isnan(value) ? "NaN" : "infinite") +
                    "; it must be a finite number");
}

void requirePositive(const char* name, double value) {
  requireFinite(name, value);
  if (!(value > 0))
    throwRange(name, shortest(value), "a number above 0");
}

template <class T>
void addBias(std::span<T> scores, const Scoring& scoring, Index i, Index first) {
  const Index token = i + scoring.offset;
  for (std::size_t t = 0; t < scores.size(); ++t)
    scores[t] += static_cast<T>(scoring.bias.at(token, first + static_cast<Index>(t)));
}

} // namespace

double Scoring::operator()(double product, Index i, Index j) const {
  double u = scale * product;
  const double b = bias.none() ? 0 : bias.at(i + offset, j);
  if (biasFirst)
    u += b;
  if (softcap)
    u = *softcap * std::tanh(u / *softcap);
  if (!biasFirst)
    u += b;
  return u / temperature;
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
  requireFinite("scale", scoring.scale);
  if (scoring.softcap)
    requirePositive("softcap", *scoring.softcap);
  requirePositive("temperature", scoring.temperature);
  if (scoring.sink)
    requireFinite("sink", *scoring.sink);
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
