#include "core/pattern/key_range.h"

#include <algorithm>
#include <array>
#include <span>

namespace attention {
namespace {

constexpr std::size_t kFew = 32;    // ranges of a row
constexpr std::size_t kFewLast = 4; // behind many that are sorted

// Keys of the comb in [begin, x), for x ≥ begin.
Index countBelow(const KeyRange& range, Index x) {
  const Index length = x - range.begin;
  return length / range.period * range.width + std::min(length % range.period, range.width);
}

void sortByBegin(std::span<KeyRange> ranges) {
  const auto earlier = [](const KeyRange& a, const KeyRange& b) { return a.begin < b.begin; };
  // Mostly parts that are each sorted: a table's keys, then the query's own.
  const auto middle = std::is_sorted_until(ranges.begin(), ranges.end(), earlier);
  if (middle == ranges.end())
    return;
  if (ranges.size() <= kFew) { // merging takes memory
    std::sort(ranges.begin(), ranges.end(), earlier);
    return;
  }
  std::sort(middle, ranges.end(), earlier);
  std::inplace_merge(ranges.begin(), middle, ranges.end(), earlier);
}

// The first `count` ranges, contiguous ones, to sorted disjoint ones, in place; their number. Every
// row of every loop comes through here.
std::size_t mergeContiguous(KeyRanges& ranges, std::size_t count) {
  sortByBegin(std::span(ranges).first(count));
  std::size_t merged = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const KeyRange range = ranges[k];
    if (range.begin >= range.end)
      continue;
    if (merged > 0 && range.begin <= ranges[merged - 1].end)
      ranges[merged - 1].end = std::max(ranges[merged - 1].end, range.end);
    else
      ranges[merged++] = {range.begin, range.end, 1, 1};
  }
  return merged;
}

// Appends the comb without the keys of the first `holes` of `ranges`, which are sorted and
// contiguous, and on request these themselves, each in its place.
void appendWithout(const KeyRange& comb, std::size_t holes, bool holesToo, KeyRanges& ranges) {
  Index from = comb.begin;
  for (std::size_t k = 0; k < holes; ++k) {
    const KeyRange hole = ranges[k];
    if (hole.begin > from)
      appendCut(comb, from, hole.begin, ranges);
    from = std::max(from, hole.end);
    if (holesToo)
      ranges.push_back(hole);
  }
  appendCut(comb, from, comb.end, ranges);
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
  runs.resize(mergeContiguous(runs, runs.size()));
  return runs;
}

// How many ranges at the beginning are sorted, disjoint, contiguous ones with gaps between: mostly
// all, or all of a table's but the query's own key.
std::size_t normalisedBeginning(const KeyRanges& ranges) {
  Index end = -1;
  std::size_t k = 0;
  for (; k < ranges.size(); ++k) {
    const KeyRange& range = ranges[k];
    if (range.period != 1 || range.width != 1 || range.begin >= range.end || range.begin <= end)
      break;
    end = range.end;
  }
  return k;
}

// Joins a contiguous range to normalised contiguous ones.
void insert(const KeyRange& more, KeyRanges& ranges) {
  const auto first =
      std::lower_bound(ranges.begin(), ranges.end(), more.begin,
                       [](const KeyRange& range, Index begin) { return range.end < begin; });
  auto last = first;
  for (; last != ranges.end() && last->begin <= more.end; ++last)
    if (last != first)
      first->end = last->end;
  if (first == last) {
    ranges.insert(first, more);
    return;
  }
  first->begin = std::min(first->begin, more.begin);
  first->end = std::max(first->end, more.end);
  ranges.erase(first + 1, last);
}

// Normalises ranges that are normalised except for a few at the end; false, and nothing done,
// where there are other ones.
bool insertLast(KeyRanges& ranges) {
  const std::size_t sorted = normalisedBeginning(ranges);
  const std::span<const KeyRange> rest = std::span(ranges).subspan(sorted);
  if (rest.size() > kFewLast || !std::all_of(rest.begin(), rest.end(), [](const KeyRange& range) {
        return range.contiguous() && range.begin < range.end;
      }))
    return false;
  std::array<KeyRange, kFewLast> last;
  std::copy(rest.begin(), rest.end(), last.begin());
  const std::size_t count = rest.size();
  ranges.resize(sorted);
  for (std::size_t k = 0; k < count; ++k)
    insert({last[k].begin, last[k].end, 1, 1}, ranges);
  return true;
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
  if (from >= to)
    return 0;
  return countBelow(range, to) - (from == range.begin ? 0 : countBelow(range, from));
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
  const Index phase = begin == range.begin ? 0 : (begin - range.begin) % range.period;
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
  if (insertLast(ranges))
    return;
  const auto firstComb = std::partition(ranges.begin(), ranges.end(),
                                        [](const KeyRange& range) { return range.contiguous(); });
  // Contiguous ranges, then the combs, then what is left of them: needs no memory of its own.
  const auto contiguous = static_cast<std::size_t>(firstComb - ranges.begin());
  const std::size_t given = ranges.size();
  const std::size_t holes = mergeContiguous(ranges, contiguous);
  if (given == contiguous + 1) { // one comb: everything comes in order
    appendWithout(KeyRange(ranges[contiguous]), holes, true, ranges);
    ranges.erase(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(given));
    return;
  }
  for (std::size_t k = contiguous; k < given; ++k)
    appendWithout(KeyRange(ranges[k]), holes, false, ranges);
  ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(holes),
               ranges.begin() + static_cast<std::ptrdiff_t>(given));
  sortByBegin(ranges);
  if (overlapping(ranges))
    ranges = runsOf(ranges);
}

} // namespace attention
