#include "core/analysis/reach/bit_matrix.h"

#include "core/support/vector_targets.h"

#include <bit>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/analysis/reach/count_ones.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

Index ones(const std::uint64_t* words, std::size_t count) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  auto sums = hn::Zero(tag);
  std::size_t w = 0;
  for (; w + lanes <= count; w += lanes)
    sums = hn::Add(sums, hn::PopulationCount(hn::LoadU(tag, words + w)));
  auto all = static_cast<Index>(hn::GetLane(hn::SumOfLanes(tag, sums)));
  for (; w < count; ++w)
    all += std::popcount(words[w]);
  return all;
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(ones);

} // namespace

Index countOnes(std::span<const std::uint64_t> words) {
  return HWY_DYNAMIC_DISPATCH(ones)(words.data(), words.size());
}

} // namespace attention
#endif
