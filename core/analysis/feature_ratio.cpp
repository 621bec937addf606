#include "core/analysis/feature_ratio.h"

#include "core/analysis/feature_moments.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace attention {

AngleErrors errorsAt(double angle, double length, Index projections) {
  const std::array<double, 2> x{length, 0};
  const std::array<double, 2> y{length * std::cos(angle), length * std::sin(angle)};
  return {lemma2Mse(FeatureMap::Trig, x, y, projections),
          lemma2Mse(FeatureMap::Positive, x, y, projections)};
}

double errorRatio(double angle, double length) {
  const AngleErrors errors = errorsAt(angle, length, 1);
  if (errors.trig == 0)
    return 0;
  if (errors.positive == 0)
    return std::numeric_limits<double>::infinity();
  return errors.trig / errors.positive;
}

double equalAngle(double length) {
  double low = 0;
  double high = std::numbers::pi;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (errorRatio(middle, length) < 1 ? low : high) = middle;
  }
  return high;
}

Matrix<float> logRatioMap(Index rows, Index columns, double most) {
  Matrix<float> map(rows, columns);
  const auto middle = [](Index k, Index of) {
    return (2 * static_cast<double>(k) + 1) / static_cast<double>(of) - 1;
  };
  for (Index y = 0; y < rows; ++y)
    for (Index x = 0; x < columns; ++x)
      map(y, x) = static_cast<float>(
          std::log10(errorRatio(std::numbers::pi * middle(x, columns), -most * middle(y, rows))));
  return map;
}

} // namespace attention
