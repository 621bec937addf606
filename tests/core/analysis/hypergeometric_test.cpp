#include "core/analysis/hypergeometric.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>

using namespace attention;

TEST_CASE("where the expansions for large arguments begin they go on as the series end") {
  const Index d = GENERATE(1, 2, 3, 4, 16, 33, 64, 65);
  const double begin = std::max(1000.0, 4.0 * static_cast<double>(d * d));
  constexpr double kStep = 1e-9; // to either side of the border, relative
  const double below = logKummer(d, begin * (1 - kStep));
  const double above = logKummer(d, begin * (1 + kStep));
  // d/dz of z + (d/2) ln z, the rest is flat.
  CHECK(above - below ==
        Approx(2 * kStep * (begin + 0.5 * static_cast<double>(d))).margin(2e-11 * below));
  const double z = begin * begin / 4; // 2 √z is where that of 0F1 begins
  const double low = logBesselSeries(d, z * (1 - kStep));
  const double high = logBesselSeries(d, z * (1 + kStep));
  CHECK(high - low == Approx(kStep * begin).margin(2e-11 * low + kStep * static_cast<double>(d)));
}

TEST_CASE("arguments of any size take few terms") {
  for (const double z : {1e6, 1e12, 1e18, 1e30}) {
    // 1F1(2; 1; z) = e^z (1 + z) and 0F1(; 1/2; z) = cosh 2√z.
    CHECK(logKummer(2, z) == Approx(z + std::log1p(z)).epsilon(1e-14));
    CHECK(logBesselSeries(1, z) == Approx(2 * std::sqrt(z) - std::log(2)).epsilon(1e-14));
  }
}
