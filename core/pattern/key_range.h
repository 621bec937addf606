// The keys of one query as a few ranges. A range is either contiguous or a comb: `width` keys taken
// every `period` keys, as strided attention's A² (width 1, period l) or fixed attention's summary
// columns (width c, period l) give them.
#pragma once

#include "core/support/integers.h"

#include <vector>

namespace attention {

// The keys begin + k · period + r with k ≥ 0, 0 ≤ r < width, below end. `begin` starts a whole run.
// A contiguous range has period = width = 1.
struct KeyRange {
  Index begin = 0;
  Index end = 0;
  Index period = 1;
  Index width = 1;

  bool contiguous() const { return width == period; }
  bool operator==(const KeyRange&) const = default;
};

using KeyRanges = std::vector<KeyRange>;

// The keys begin ≤ j < end.
struct KeySpan {
  Index begin = 0;
  Index end = 0;
};

bool contains(const KeyRange& range, Index key);

// Keys of the range in [j0, j1). O(1).
Index count(const KeyRange& range, Index j0, Index j1);
inline Index count(const KeyRange& range) {
  return count(range, range.begin, range.end);
}

// Appends the part of `range` inside [j0, j1) to `ranges`: at most two ranges, since a cut through
// a run of a comb leaves a shorter run and the rest. Nothing if it is empty.
void appendCut(const KeyRange& range, Index j0, Index j1, KeyRanges& ranges);

// Turns ranges that may overlap into the same set of keys as disjoint ranges sorted by begin. Combs
// stay combs where they meet only contiguous ranges; combs that overlap combs become runs.
void normalise(KeyRanges& ranges);

// Calls visit(begin, end) for every maximal stretch of the range, in ascending order.
template <class Visit>
void forEachRun(const KeyRange& range, Visit visit) {
  if (range.contiguous()) {
    if (range.begin < range.end)
      visit(range.begin, range.end);
    return;
  }
  for (Index run = range.begin; run < range.end; run += range.period)
    visit(run, run + range.width < range.end ? run + range.width : range.end);
}

} // namespace attention
