#include "core/analysis/timing/power_law.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention {
namespace {

struct Line {
  double slope = 0;
  double height = 0; // at x = 0
  double squaresX = 0;
  double squaresY = 0;
  double residuals = 0;
};

Line leastSquares(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double meanX = 0;
  double meanY = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    meanX += x[k] / count;
    meanY += y[k] / count;
  }
  Line line;
  double products = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    line.squaresX += (x[k] - meanX) * (x[k] - meanX);
    line.squaresY += (y[k] - meanY) * (y[k] - meanY);
    products += (x[k] - meanX) * (y[k] - meanY);
  }
  line.slope = products / line.squaresX;
  line.height = meanY - line.slope * meanX;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double residual = y[k] - line.height - line.slope * x[k];
    line.residuals += residual * residual;
  }
  return line;
}

} // namespace

double PowerLaw::at(Index n) const {
  return factor * std::pow(static_cast<double>(n), exponent);
}

std::optional<PowerLaw> fitPowerLaw(std::span<const GrowthPoint> points, Index from) {
  std::vector<double> x;
  std::vector<double> y;
  PowerLaw law;
  for (const GrowthPoint& point : points) {
    if (point.n < from || !(point.value > 0))
      continue;
    x.push_back(std::log(static_cast<double>(point.n)));
    y.push_back(std::log(point.value));
    law.from = x.size() == 1 ? point.n : std::min(law.from, point.n);
    law.to = std::max(law.to, point.n);
  }
  if (law.from == law.to)
    return std::nullopt;
  const Line line = leastSquares(x, y);
  law.points = static_cast<Index>(x.size());
  law.exponent = line.slope;
  law.factor = std::exp(line.height);
  law.rSquared = line.squaresY > 0 ? 1 - line.residuals / line.squaresY : 1;
  if (law.points > 2)
    law.standardError =
        std::sqrt(line.residuals / static_cast<double>(law.points - 2) / line.squaresX);
  return law;
}

} // namespace attention
