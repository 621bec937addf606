// The exponent of a growth: t = c · n^e fitted to points (n, t) as the straight line
// ln t = ln c + e ln n by least squares, with the uncertainty of e from the residuals.
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <span>

namespace attention {

struct GrowthPoint {
  Index n = 1;
  double value = 0; // > 0
};

struct PowerLaw {
  double exponent = 0;
  double factor = 0; // c
  // Of the exponent, √(Σ residuals² / (count − 2) / Σ (ln n − mean)²); nothing for two points.
  std::optional<double> standardError;
  double rSquared = 1; // 1 where all values are equal
  Index from = 0;      // smallest and largest n of the fit
  Index to = 0;
  Index points = 0;

  double at(Index n) const;
};

// Fits the points with n ≥ `from` and a value above 0; nothing for fewer than two different n.
std::optional<PowerLaw> fitPowerLaw(std::span<const GrowthPoint> points, Index from = 1);

} // namespace attention
