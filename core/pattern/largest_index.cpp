#include "core/pattern/largest_scores.h"

#include "core/support/vector_targets.h"

#include <algorithm>
#include <cmath>
#include <limits>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/pattern/largest_index.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<double> kTag;
constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(kTag));
constexpr double kLeast = -std::numeric_limits<double>::infinity();

double most(const double* x, Index count) {
  auto best = hn::Set(kTag, kLeast);
  Index j = 0;
  for (; j + kLanes <= count; j += kLanes)
    best = hn::Max(best, hn::LoadU(kTag, x + j));
  double largest = hn::GetLane(hn::MaxOfLanes(kTag, best));
  for (; j < count; ++j)
    largest = std::max(largest, x[j]);
  return largest;
}

// The first place of a value, or −1.
Index placeOf(const double* x, Index count, double value) {
  const auto wanted = hn::Set(kTag, value);
  Index j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    const auto at = hn::FindFirstTrue(kTag, hn::Eq(hn::LoadU(kTag, x + j), wanted));
    if (at >= 0)
      return j + static_cast<Index>(at);
  }
  for (; j < count; ++j)
    if (x[j] == value)
      return j;
  return -1;
}

Index largest(const double* x, Index count) {
  return placeOf(x, count, most(x, count));
}

// Among y and −y the largest two are those of |y|, or, of a single number, it and its opposite.
LargestSigned largestOfSigned(const double* y, Index count) {
  auto firsts = hn::Set(kTag, kLeast);
  auto seconds = firsts;
  Index j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    const auto size = hn::Abs(hn::LoadU(kTag, y + j));
    seconds = hn::Max(seconds, hn::Min(firsts, size));
    firsts = hn::Max(firsts, size);
  }
  // Over all lanes: the second is the runner-up of the winning lane, or the first of another lane.
  double first = hn::GetLane(hn::MaxOfLanes(kTag, firsts));
  const auto winners = hn::Eq(firsts, hn::Set(kTag, first));
  const auto others = hn::Max(seconds, hn::IfThenElse(winners, hn::Set(kTag, kLeast), firsts));
  double second =
      hn::CountTrue(kTag, winners) > 1 ? first : hn::GetLane(hn::MaxOfLanes(kTag, others));
  for (; j < count; ++j) {
    second = std::max(second, std::min(first, std::abs(y[j])));
    first = std::max(first, std::abs(y[j]));
  }
  if (count == 1)
    second = -first;
  const Index at = placeOf(y, count, first);
  if (at >= 0)
    return {at, first - second};
  const Index opposite = placeOf(y, count, -first);
  return {opposite < 0 ? opposite : count + opposite, first - second};
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(largest);
HWY_EXPORT(largestOfSigned);

} // namespace

// Only NaNs, from products that overflowed, are not found; they count as index zero.
Index largestIndex(std::span<const double> scores) {
  return std::max<Index>(
      0, HWY_DYNAMIC_DISPATCH(largest)(scores.data(), static_cast<Index>(scores.size())));
}

LargestSigned largestSigned(std::span<const double> y) {
  LargestSigned found =
      HWY_DYNAMIC_DISPATCH(largestOfSigned)(y.data(), static_cast<Index>(y.size()));
  found.index = std::max<Index>(0, found.index);
  return found;
}

} // namespace attention
#endif
