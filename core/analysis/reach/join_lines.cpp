#include "core/analysis/reach/join_lines.h"

#include "core/support/vector_targets.h"

#include <algorithm>

// This file is compiled once for each kind of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/analysis/reach/join_lines.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attention::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<BitWord, static_cast<std::size_t>(kLineWords)>;
constexpr Words kTag;
constexpr std::size_t kLanes = hn::MaxLanes(kTag);
constexpr std::size_t kVectors = static_cast<std::size_t>(kLineWords) / kLanes;
constexpr std::size_t kSourcesBetweenLooks = 16; // at whether a line is full

// Whether nothing is missing below `bits`.
bool full(const BitWord* line, Index bits) {
  for (Index w = 0; w < kLineWords && bits > 0; ++w, bits -= kWordBits) {
    const BitWord all = bits >= kWordBits ? ~BitWord{0} : (BitWord{1} << bits) - 1;
    if (line[w] != all)
      return false;
  }
  return true;
}

// The union of the lines at `word` of the sources begin … end, which has no more than `bits` ones.
HWY_INLINE void joinLine(const BitWord* const* begin, const BitWord* const* end, Index word,
                         Index bits, BitWord* HWY_RESTRICT result) {
  hn::Vec<Words> line[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v)
    line[v] = hn::Zero(kTag);
  while (begin < end) {
    const BitWord* const* const look =
        begin + std::min<std::ptrdiff_t>(end - begin, kSourcesBetweenLooks);
    for (; begin < look; ++begin)
      for (std::size_t v = 0; v < kVectors; ++v)
        line[v] = hn::Or(line[v], hn::LoadU(kTag, *begin + word + v * kLanes));
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(line[v], kTag, result + v * kLanes);
    if (begin < end && full(result, bits))
      return;
  }
}

void rows(const UnionPlan& plan, Index firstRow, BitMatrix& result) {
  for (Index word = 0; word < result.wordsPerRow(); word += kLineWords)
    for (std::size_t r = 0; r < plan.rows.size(); ++r) {
      const UnionRow& row = plan.rows[r];
      const Index i = firstRow + static_cast<Index>(r);
      BitWord* const line = result.row(i).data() + word;
      const Index bits = row.limit - word * kWordBits;
      if (row.asBefore)
        std::copy_n(result.row(i - 1).data() + word, kLineWords, line);
      else if (bits <= 0 || row.begin == row.end)
        std::fill_n(line, kLineWords, BitWord{0});
      else
        joinLine(plan.sources.data() + row.begin, plan.sources.data() + row.end, word, bits, line);
    }
}

} // namespace
} // namespace attention::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attention {
namespace {

HWY_EXPORT(rows);

} // namespace

void joinRows(const UnionPlan& plan, Index firstRow, BitMatrix& result) {
  HWY_DYNAMIC_DISPATCH(rows)(plan, firstRow, result);
}

} // namespace attention
#endif
