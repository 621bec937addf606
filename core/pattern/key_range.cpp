#include "core/pattern/key_range.h"

#include <algorithm>

namespace attention {
namespace {

// Keys of the comb in [begin, x), for x ≥ begin.
Index countBelow(const KeyRange& range, Index x) {
  const Index length = x - range.begin;
  return length / range.period * range.width + std::min(length % range.period, range.width);
}

KeyRanges mergedContiguous(KeyRanges ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; });
  KeyRanges merged;
  for (const KeyRange& range : ranges) {
    if (range.begin >= range.end)
      continue;
    if (!merged.empty() && range.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back({range.begin, range.end, 1, 1});
  }
  return merged;
}

// The comb without the keys of the sorted contiguous ranges.
KeyRanges without(const KeyRange& comb, const KeyRanges& holes) {
  KeyRanges left;
  Index from = comb.begin;
  for (const KeyRange& hole : holes) {
    if (hole.begin > from)
      appendCut(comb, from, hole.begin, left);
    from = std::max(from, hole.end);
  }
  appendCut(comb, from, comb.end, left);
  return left;
}

bool overlapping(const KeyRanges& sorted) {
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k].begin < sorted[k - 1].end)
      return true;
  return false;
}

KeyRanges runsOf(const KeyRanges& ranges) {
  KeyRanges runs;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) { runs.push_back({begin, end, 1, 1}); });
  return mergedContiguous(std::move(runs));
}

} // namespace

bool contains(const KeyRange& range, Index key) {
  if (key < range.begin || key >= range.end)
    return false;
  return (key - range.begin) % range.period < range.width;
}

Index count(const KeyRange& range, Index j0, Index j1) {
  const Index from = std::max(j0, range.begin);
  const Index to = std::min(j1, range.end);
  return from < to ? countBelow(range, to) - countBelow(range, from) : 0;
}

void appendCut(const KeyRange& range, Index j0, Index j1, KeyRanges& ranges) {
  const Index end = std::min(j1, range.end);
  Index begin = std::max(j0, range.begin);
  if (begin >= end)
    return;
  if (range.contiguous()) {
    ranges.push_back({begin, end, 1, 1});
    return;
  }
  const Index phase = (begin - range.begin) % range.period;
  if (phase != 0) {
    const Index runEnd = std::min(begin - phase + range.width, end);
    if (begin < runEnd)
      ranges.push_back({begin, runEnd, 1, 1});
    begin += range.period - phase;
  }
  if (begin >= end)
    return;
  if (begin + range.width >= end)
    ranges.push_back({begin, end, 1, 1});
  else if (begin + range.period >= end)
    ranges.push_back({begin, begin + range.width, 1, 1});
  else
    ranges.push_back({begin, end, range.period, range.width});
}

void normalise(KeyRanges& ranges) {
  KeyRanges contiguous;
  KeyRanges combs;
  for (const KeyRange& range : ranges)
    (range.contiguous() ? contiguous : combs).push_back(range);
  ranges = mergedContiguous(std::move(contiguous));
  if (combs.empty())
    return;
  KeyRanges pieces;
  for (const KeyRange& comb : combs) {
    const KeyRanges left = without(comb, ranges);
    pieces.insert(pieces.end(), left.begin(), left.end());
  }
  ranges.insert(ranges.end(), pieces.begin(), pieces.end());
  std::sort(ranges.begin(), ranges.end(),
            [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; });
  if (overlapping(ranges))
    ranges = runsOf(ranges);
}

} // namespace attention
