#include "core/pattern/score_filter.h"

#include "core/support/vector_targets.h"

#include <algorithm>
#include <limits>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/pattern/score_filter.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using Places = hn::RebindToSigned<Lanes>;
constexpr Lanes kTag;
constexpr Places kPlaces;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(kTag));
static_assert(kLanes <= kFilterSpare);

Index above(const double* scores, Index size, double bound) {
  const auto least = hn::Set(kTag, bound);
  Index found = 0;
  Index t = 0;
  for (; t + kLanes <= size; t += kLanes)
    found += static_cast<Index>(hn::CountTrue(kTag, hn::Gt(hn::LoadU(kTag, scores + t), least)));
  for (; t < size; ++t)
    found += scores[t] > bound ? 1 : 0;
  return found;
}

// Writes the values of `x` in `mask` and returns how many there are; up to a vector after them may
// be overwritten. AVX-512 packs them in a register, by halves: AMD's Zen 4 takes over a hundred
// cycles to compress into memory, and Highway 1.0 uses a table for 64-bit lanes.
template <class Tag, class Values, class Mask>
HWY_INLINE Index storeChosen(Tag tag, Values x, Mask mask, hn::TFromD<Tag>* to) {
#if HWY_TARGET <= HWY_AVX3
  const hn::Repartition<std::uint32_t, Tag> halves;
  const auto chosen = hn::MaskFromVec(hn::BitCast(halves, hn::VecFromMask(tag, mask)));
  hn::StoreU(hn::BitCast(tag, hn::Compress(hn::BitCast(halves, x), chosen)), tag, to);
  return static_cast<Index>(hn::CountTrue(tag, mask));
#else
  return static_cast<Index>(hn::CompressStore(x, mask, tag, to));
#endif
}

Index copied(const double* scores, Index size, double bound, Index first, double* to,
             Index* indices) {
  const auto least = hn::Set(kTag, bound);
  Index count = 0;
  Index t = 0;
  for (; t + kLanes <= size; t += kLanes) {
    const auto x = hn::LoadU(kTag, scores + t);
    const auto mask = hn::Gt(x, least);
    if (hn::AllFalse(kTag, mask))
      continue;
    storeChosen(kPlaces, hn::Iota(kPlaces, first + t), hn::RebindMask(kPlaces, mask),
                indices + count);
    count += storeChosen(kTag, x, mask, to + count);
  }
  for (; t < size; ++t)
    if (scores[t] > bound) {
      to[count] = scores[t];
      indices[count++] = first + t;
    }
  return count;
}

// In place: what is written, whole vectors too, lies before what has not been read.
Index kept(double* scores, Index* indices, Index size, double bound) {
  const auto least = hn::Set(kTag, bound);
  Index to = 0;
  Index t = 0;
  for (; t + kLanes <= size; t += kLanes) {
    const auto x = hn::LoadU(kTag, scores + t);
    const auto places = hn::LoadU(kPlaces, indices + t);
    const auto mask = hn::Gt(x, least);
    storeChosen(kPlaces, places, hn::RebindMask(kPlaces, mask), indices + to);
    to += storeChosen(kTag, x, mask, scores + to);
  }
  for (; t < size; ++t)
    if (scores[t] > bound) {
      scores[to] = scores[t];
      indices[to++] = indices[t];
    }
  return to;
}

ScoreSpread spread(const double* scores, Index size) {
  auto least = hn::Set(kTag, std::numeric_limits<double>::infinity());
  auto most = hn::Neg(least);
  Index t = 0;
  for (; t + kLanes <= size; t += kLanes) {
    const auto x = hn::LoadU(kTag, scores + t);
    least = hn::IfThenElse(hn::Lt(x, least), x, least);
    most = hn::IfThenElse(hn::Gt(x, most), x, most);
  }
  ScoreSpread of{hn::GetLane(hn::MinOfLanes(kTag, least)), hn::GetLane(hn::MaxOfLanes(kTag, most))};
  for (; t < size; ++t)
    of = {std::min(of.least, scores[t]), std::max(of.most, scores[t])};
  return of;
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(above);
HWY_EXPORT(copied);
HWY_EXPORT(kept);
HWY_EXPORT(spread);

} // namespace

Index countAbove(std::span<const double> scores, double bound) {
  return HWY_DYNAMIC_DISPATCH(above)(scores.data(), static_cast<Index>(scores.size()), bound);
}

Index copyAbove(std::span<const double> scores, double bound, Index first, double* kept,
                Index* indices) {
  return HWY_DYNAMIC_DISPATCH(copied)(scores.data(), static_cast<Index>(scores.size()), bound,
                                      first, kept, indices);
}

Index keepAbove(double* scores, Index* indices, Index count, double bound) {
  return HWY_DYNAMIC_DISPATCH(kept)(scores, indices, count, bound);
}

ScoreSpread spreadOf(std::span<const double> scores) {
  return HWY_DYNAMIC_DISPATCH(spread)(scores.data(), static_cast<Index>(scores.size()));
}

} // namespace attention
#endif
