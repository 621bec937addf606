#include "core/attention/bias/t5_buckets.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attention {
namespace {

// A natural number, 32 bits a digit, the lowest first.
using Digits = std::vector<std::uint32_t>;

void multiply(Digits& number, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint32_t& digit : number) {
    carry += std::uint64_t{digit} * factor;
    digit = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry > 0)
    number.push_back(static_cast<std::uint32_t>(carry));
}

// base^exponent · other^otherExponent, for numbers of at least 1.
Digits powers(Index base, Index exponent, Index other, Index otherExponent) {
  Digits number{1};
  for (Index k = 0; k < exponent; ++k)
    multiply(number, static_cast<std::uint32_t>(base));
  for (Index k = 0; k < otherExponent; ++k)
    multiply(number, static_cast<std::uint32_t>(other));
  return number;
}

bool atLeast(const Digits& a, const Digits& b) {
  if (a.size() != b.size())
    return a.size() > b.size();
  return !std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// The least d with d^m e^t ≥ D^t e^m, that is d ≥ e (D / e)^(t / m). The real number decides where
// it is not too near an integer.
Index leastDistance(Index e, Index m, Index t, Index maxDistance) {
  const auto real = static_cast<long double>(e) *
                    std::pow(static_cast<long double>(maxDistance) / static_cast<long double>(e),
                             static_cast<long double>(t) / static_cast<long double>(m));
  const long double near = std::round(real);
  constexpr long double kRoundingError = 1e-12L;
  if (std::abs(real - near) > kRoundingError * real)
    return static_cast<Index>(std::ceil(real));
  const auto d = static_cast<Index>(near);
  return atLeast(powers(d, m, e, t), powers(maxDistance, t, e, m)) ? d : d + 1;
}

} // namespace

T5Buckets::T5Buckets(const T5Form& form)
    : bidirectional_(form.bidirectional),
      each_(form.bidirectional ? form.buckets / 2 : form.buckets), exact_(each_ / 2) {
  constexpr Index kMostBuckets = 4096;
  if (form.bidirectional && form.buckets % 2 != 0)
    throwRange("buckets", std::to_string(form.buckets),
               "an even number from 4 to " + std::to_string(kMostBuckets) + " for both directions");
  if (exact_ < 1 || form.buckets > kMostBuckets)
    throwRange("buckets", std::to_string(form.buckets),
               std::string(form.bidirectional ? "from 4" : "from 2") + " to " +
                   std::to_string(kMostBuckets));
  if (form.maxDistance <= exact_ || form.maxDistance > kMaxLength)
    throwRange("max_distance", std::to_string(form.maxDistance),
               "above the " + std::to_string(exact_) +
                   " distances that have a bucket each, and at most 2^30");
  for (Index t = 1; t < each_ - exact_; ++t)
    begins_.push_back(leastDistance(exact_, each_ - exact_, t, form.maxDistance));
}

Index T5Buckets::of(Index rel) const {
  const Index begin = bidirectional_ && rel > 0 ? each_ : 0;
  const Index distance = bidirectional_ ? std::abs(rel) : std::max<Index>(0, -rel);
  if (distance < exact_)
    return begin + distance;
  const auto past = std::upper_bound(begins_.begin(), begins_.end(), distance) - begins_.begin();
  return begin + exact_ + past;
}

} // namespace attention
