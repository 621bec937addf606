#include "core/analysis/feature_ratio.h"

#include "core/analysis/feature_moments.h"
#include "tests/catch.h"

#include <array>
#include <cmath>
#include <numbers>

using namespace attention;

TEST_CASE("the ratio of errors is Lemma 2 in closed form") {
  const double l = GENERATE(0.1, 0.5, 1.0, 2.0);
  const double angle = GENERATE(0.2, 1.0, std::numbers::pi / 2, 2.5, 3.0);
  const double s = 2 * l * l * (1 + std::cos(angle));
  const double t = 2 * l * l * (1 - std::cos(angle));
  const double expected =
      0.5 * std::exp(4 * l * l) * std::pow(1 - std::exp(-t), 2) / (std::exp(2 * s) - std::exp(s));
  CHECK(errorRatio(angle, l) == Approx(expected).epsilon(1e-9));
  CHECK(errorRatio(-angle, l) == Approx(expected).epsilon(1e-9));
  CHECK(errorRatio(angle, -l) == Approx(expected).epsilon(1e-9));
}

TEST_CASE("the errors of a pair are those of the estimators with iid projections") {
  const AngleErrors errors = errorsAt(1.2, 0.8, 10);
  const std::array<double, 2> x{0.8, 0};
  const std::array<double, 2> y{0.8 * std::cos(1.2), 0.8 * std::sin(1.2)};
  const auto mse = [&](FeatureMap map) {
    return estimatorMoments({map, ProjectionKind::Iid, Norms::Chi}, x, y, 10).mse;
  };
  CHECK(errors.trig == Approx(mse(FeatureMap::Trig)));
  CHECK(errors.positive == Approx(mse(FeatureMap::Positive)));
}

TEST_CASE("trig features are exact for equal vectors and positive ones for opposite") {
  CHECK(errorRatio(0, 1) == 0);
  CHECK(errorRatio(1, 0) == 0);
  CHECK(errorRatio(std::numbers::pi, 1) > 1e20);
  // At right angles trig is better by (1 − e^{−2l²}) / 2 (S7.4).
  CHECK(errorRatio(std::numbers::pi / 2, 0.7) == Approx((1 - std::exp(-2 * 0.49)) / 2));
}

TEST_CASE("beyond the angle at which errors are equal positive features are better") {
  const double l = GENERATE(0.05, 0.5, 1.0, 2.0);
  const double angle = equalAngle(l);
  CHECK(errorRatio(angle, l) == Approx(1).epsilon(1e-6));
  CHECK(errorRatio(angle - 0.01, l) < 1);
  CHECK(errorRatio(angle + 0.01, l) > 1);
}

TEST_CASE("the map of ratios is symmetric about its middle") {
  const Matrix<float> map = logRatioMap(6, 8, 2);
  for (Index y = 0; y < 6; ++y)
    for (Index x = 0; x < 8; ++x) {
      CHECK(map(y, x) == Approx(map(5 - y, x)));
      CHECK(map(y, x) == Approx(map(y, 7 - x)));
    }
  CHECK(map(0, 3) == Approx(std::log10(errorRatio(-std::numbers::pi / 8, 5.0 / 3))));
}
