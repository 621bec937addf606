#include "core/support/quantile.h"

#include "tests/catch.h"

#include <array>
#include <limits>

using namespace attention;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("quantiles lie linearly between neighbours of the sorted sample") {
  constexpr std::array values{1.0, 2.0, 4.0, 8.0};
  CHECK(quantileOf(values, 0) == 1);
  CHECK(quantileOf(values, 0.5) == 3);
  CHECK(quantileOf(values, 0.25) == Approx(1.75));
  CHECK(quantileOf(values, 1) == 8);
  CHECK(quantileOf(std::array{7.0}, 0.75) == 7);
}

TEST_CASE("quantiles of a sample with infinities are finite or infinite, never NaN") {
  constexpr std::array values{1.0, 2.0, kInfinity, kInfinity};
  CHECK(quantileOf(values, 0.25) == Approx(1.75));
  CHECK(quantileOf(values, 0.5) == kInfinity);
  CHECK(quantileOf(values, 0.9) == kInfinity);
  CHECK(quantileOf(std::array{1.0, 2.0, kInfinity}, 0.5) == 2);
  CHECK(quantileOf(std::array{-kInfinity, 2.0}, 0.5) == -kInfinity);
}
