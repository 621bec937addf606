#include "core/analysis/hypergeometric.h"

#include <cassert>
#include <cmath>

namespace attention {
namespace {

constexpr long double kEnough = 1e-21L; // relative size of the first term left out
constexpr long double kLarge = 1e4000L; // sums above are divided by it
constexpr double kSeriesRoot = 6;       // √z up to which alternating terms cancel harmlessly

// ln Σ t_k of positive terms, t_0 = 1, t_{k+1} = ratio(k) t_k.
template <class Ratio>
double logSeries(Ratio ratio) {
  long double term = 1;
  long double sum = 1;
  long double exponent = 0;
  for (long double k = 0;; k += 1) {
    const long double by = ratio(k);
    term *= by;
    sum += term;
    if (sum > kLarge) {
      sum /= kLarge;
      term /= kLarge;
      exponent += std::log(kLarge);
    }
    if (by < 1 && term < kEnough * sum * (1 - by))
      return static_cast<double>(exponent + std::log(sum));
  }
}

} // namespace

double logKummer(Index d, double z) {
  assert(d >= 1 && z >= 0);
  const auto a = static_cast<long double>(d);
  const long double b = a / 2;
  const auto x = static_cast<long double>(z);
  return logSeries([=](long double k) { return (a + k) / (b + k) * x / (k + 1); });
}

// e^−z 1F1(−d/2; d/2; z).
double kummerOfNegative(Index d, double z) {
  assert(d >= 1 && z >= 0);
  const long double half = static_cast<long double>(d) / 2;
  const auto x = static_cast<long double>(z);
  long double term = std::exp(-x);
  long double sum = term;
  for (long double k = 0; term != 0; k += 1) {
    const long double by = (k - half) / (half + k) * x / (k + 1);
    term *= by;
    sum += term;
    if (std::abs(by) < 0.5L && std::abs(term) < kEnough)
      break;
  }
  return static_cast<double>(sum);
}

double logBesselSeries(Index d, double z) {
  assert(d >= 1 && z >= 0);
  const long double half = static_cast<long double>(d) / 2;
  const auto x = static_cast<long double>(z);
  return logSeries([=](long double k) { return x / ((half + k) * (k + 1)); });
}

double besselOfNegative(Index d, double z) {
  assert(d >= 1 && z >= 0);
  const double root = std::sqrt(z);
  if (d == 1)
    return std::cos(2 * root);
  const double half = static_cast<double>(d) / 2;
  // Γ(ν + 1) x^−ν J_ν(2x), ν = d/2 − 1, x = √z.
  if (root > kSeriesRoot && z > half)
    return std::exp(std::lgamma(half) - (half - 1) * std::log(root)) *
           std::cyl_bessel_j(half - 1, 2 * root);
  long double term = 1;
  long double sum = 1;
  for (long double k = 0; std::abs(term) > kEnough; k += 1) {
    term *= -static_cast<long double>(z) / ((static_cast<long double>(half) + k) * (k + 1));
    sum += term;
  }
  return static_cast<double>(sum);
}

} // namespace attention
