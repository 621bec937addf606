#include "core/analysis/feature_moments.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace attention {
namespace {

constexpr long double kEnough = 1e-21L; // relative size of the first term left out
constexpr double kSeriesRoot = 6;       // √z up to which alternating terms cancel harmlessly

// ln Σ t_k of positive terms, t_{k+1} = ratio(k) t_k, of a ratio that falls with k: from the term
// `largest`, with logarithm `logLargest`, to either side until terms no longer matter. O(√largest)
// terms.
template <class Ratio>
double logSeries(Ratio ratio, long double largest, long double logLargest) {
  long double sum = 1; // in units of the largest
  const auto counts = [&](long double term, long double by) {
    return by >= 1 || term >= kEnough * sum * (1 - by);
  };
  long double term = 1;
  for (long double k = largest, by = 1; counts(term, by); k += 1) {
    by = ratio(k);
    term *= by;
    sum += term;
  }
  term = 1;
  for (long double k = largest, by = 1; k > 0 && counts(term, by); k -= 1) {
    by = 1 / ratio(k - 1);
    term *= by;
    sum += term;
  }
  return static_cast<double>(logLargest + std::log(sum));
}

// The whole number, at least 0, below the larger zero of k² + p k + q, which has real zeros.
long double belowZero(long double p, long double q) {
  return std::max(std::floor((-p + std::sqrt(std::max(p * p - 4 * q, 0.0L))) / 2), 0.0L);
}

// ln Γ(x), x > 0. std::lgamma leaves the sign of Γ in a variable of the C library, for which
// threads race where the library has no other.
long double logGamma(long double x) {
#ifdef __GLIBC__
  int sign = 0;
  return ::lgammal_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

// ln (a)_k, k ≥ 0.
long double logRising(long double a, long double k) {
  return k > 0 ? logGamma(a + k) - logGamma(a) : 0;
}

// Where the series would be long and the expansion for large arguments is exact to a double.
bool isLarge(Index d, double z) {
  return z > std::max(1000.0, 4 * static_cast<double>(d) * static_cast<double>(d));
}

// The sum of terms: the first is 1 and the k-th `ratio(k)` times the one before, until terms no
// longer matter.
template <class Ratio>
double expansion(Ratio&& ratio) {
  double term = 1;
  double sum = 1;
  for (int k = 1; k < 100 && std::abs(term) > 1e-20; ++k) {
    term *= ratio(static_cast<double>(k));
    sum += term;
  }
  return sum;
}

// DLMF 13.7.2: Γ(b) / Γ(a) e^z z^(a − b) Σ (b − a)_k (1 − a)_k / (k! z^k), a = d, b = d/2.
double logKummerOfLarge(Index d, double z) {
  const auto a = static_cast<double>(d);
  const double b = a / 2;
  const double sum = expansion([=](double k) { return (b - a + k - 1) * (k - a) / (k * z); });
  return z + (a - b) * std::log(z) + static_cast<double>(logGamma(b) - logGamma(a)) + std::log(sum);
}

// 0F1(; b; z) = Γ(b) x^(1 − b) I_{b − 1}(2x), x = √z (DLMF 10.25.2), with DLMF 10.40.1 for I.
double logBesselOfLarge(Index d, double z) {
  const double b = static_cast<double>(d) / 2;
  const double y = 2 * std::sqrt(z);
  const double square = 4 * (b - 1) * (b - 1);
  const double sum =
      expansion([=](double k) { return -(square - (2 * k - 1) * (2 * k - 1)) / (8 * k * y); });
  return y - std::log(2 * std::numbers::pi * y) / 2 + (1 - b) * std::log(z) / 2 +
         static_cast<double>(logGamma(b)) + std::log(sum);
}

} // namespace

double logKummer(Index d, double z) {
  assert(d >= 1 && z >= 0);
  if (isLarge(d, z))
    return logKummerOfLarge(d, z);
  const auto a = static_cast<long double>(d);
  const long double b = a / 2;
  const auto x = static_cast<long double>(z);
  const long double largest = belowZero(b + 1 - x, b - a * x); // where its ratio falls below 1
  const long double power = largest > 0 ? largest * std::log(x) : 0;
  return logSeries([=](long double k) { return (a + k) / (b + k) * x / (k + 1); }, largest,
                   power + logRising(a, largest) - logRising(b, largest) - logRising(1, largest));
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
  if (isLarge(d, 2 * std::sqrt(z)))
    return logBesselOfLarge(d, z);
  const long double half = static_cast<long double>(d) / 2;
  const auto x = static_cast<long double>(z);
  const long double largest = belowZero(half + 1, half - x);
  const long double power = largest > 0 ? largest * std::log(x) : 0;
  return logSeries([=](long double k) { return x / ((half + k) * (k + 1)); }, largest,
                   power - logRising(half, largest) - logRising(1, largest));
}

double besselOfNegative(Index d, double z) {
  assert(d >= 1 && z >= 0);
  const double root = std::sqrt(z);
  if (d == 1)
    return std::cos(2 * root);
  const double half = static_cast<double>(d) / 2;
  // Γ(ν + 1) x^−ν J_ν(2x), ν = d/2 − 1, x = √z.
  if (root > kSeriesRoot && z > half)
    return std::exp(static_cast<double>(logGamma(half)) - (half - 1) * std::log(root)) *
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
