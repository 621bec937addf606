#include "core/analysis/feature_moments.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace attention;

TEST_CASE("expansions for large arguments continue the series without a jump") {
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

// ln Σ of terms given by their logarithms.
double logSum(const std::vector<double>& logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double x : logs)
    sum += std::exp(x - most);
  return most + std::log(sum);
}

TEST_CASE("closed forms at arguments from small to large") {
  for (const double z : {0.0, 1e-3, 0.5, 1.0, 7.0, 300.0, 1e6, 1e12, 1e18, 1e30}) {
    INFO(z);
    // 1F1(2; 1; z) = e^z (1 + z) and 0F1(; 1/2; z) = cosh 2√z.
    CHECK(logKummer(2, z) == Approx(z + std::log1p(z)).epsilon(1e-14).margin(1e-17));
    const double y = 2 * std::sqrt(z);
    CHECK(logBesselSeries(1, z) ==
          Approx(y + std::log1p(std::exp(-2 * y)) - std::log(2)).epsilon(1e-14).margin(1e-15));
  }
}

// By Kummer's transformation 1F1(2m; m; z) = e^z 1F1(−m; m; −z), a polynomial of positive terms.
// Taking this many values below the expansion's beginning is quick only because there are few
// terms.
TEST_CASE("1F1 of many dimensions is e^z times its polynomial") {
  constexpr Index kHalf = 2048;
  constexpr double m = kHalf;
  for (int step = 1; step <= 200; ++step) {
    const double z = 3e5 * step;
    std::vector<double> logs;
    for (double k = 0; k <= m; ++k)
      logs.push_back(std::lgamma(m + 1) - std::lgamma(m - k + 1) - std::lgamma(k + 1) +
                     std::lgamma(m) - std::lgamma(m + k) + k * std::log(z));
    INFO(z);
    CHECK(logKummer(2 * kHalf, z) - z == Approx(logSum(logs)).epsilon(1e-8));
  }
}
