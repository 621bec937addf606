#include "core/analysis/difference.h"

#include "core/analysis/metrics.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <string>

namespace attention {
namespace {

constexpr Index kRows = 64; // a chunk

std::string text(const Lengths& lengths) {
  return std::to_string(lengths.queries) + " × " + std::to_string(lengths.keys);
}

// The first of `rows` queries in which the patterns differ, by counts: rows [0, r) hold a cell of
// only one pattern iff |A| + |B| > 2 |A ∩ B| there.
std::optional<Index> firstDifferentRow(const Prepared& a, const Prepared& b, const Prepared& both) {
  const auto differ = [&](Index rows) {
    const Rect top{0, rows, 0, a.lengths().keys};
    return a.count(top) + b.count(top) > 2 * both.count(top);
  };
  Index equal = 0;
  Index different = a.lengths().queries;
  if (!differ(different))
    return std::nullopt;
  while (equal + 1 < different) {
    const Index middle = equal + (different - equal) / 2;
    (differ(middle) ? different : equal) = middle;
  }
  return equal;
}

Difference finished(Index first, Index second, Index both, std::optional<Index> firstRow) {
  Difference difference{first - both, second - both, both, firstRow, 1, {}};
  difference.iou =
      intersectionOverUnion(difference.both, difference.onlyFirst, difference.onlySecond);
  return difference;
}

// Keys that two ranges share: a comb's runs are searched in the other comb.
Index countBoth(const KeyRange& a, const KeyRange& b) {
  if (a.contiguous())
    return count(b, a.begin, a.end);
  if (b.contiguous())
    return count(a, b.begin, b.end);
  Index both = 0;
  forEachRun(a, [&](Index begin, Index end) { both += count(b, begin, end); });
  return both;
}

void appendRuns(const KeyRanges& ranges, std::vector<std::pair<Index, Index>>& runs) {
  runs.clear();
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) { runs.emplace_back(begin, end); });
  std::sort(runs.begin(), runs.end());
}

// Two rows of patterns, and room to compare them.
struct RowPair {
  KeyRanges first;
  KeyRanges second;
  std::vector<std::pair<Index, Index>> a;
  std::vector<std::pair<Index, Index>> b;

  Index both() {
    constexpr std::size_t kFewPairs = 64;
    return first.size() * second.size() <= kFewPairs ? bothByRanges() : bothByRuns();
  }

private:
  Index bothByRanges() const {
    Index keys = 0;
    for (const KeyRange& x : first)
      for (const KeyRange& y : second)
        if (x.begin < y.end && y.begin < x.end)
          keys += countBoth(x, y);
    return keys;
  }

  // One sweep over the runs of both.
  Index bothByRuns() {
    appendRuns(first, a);
    appendRuns(second, b);
    Index keys = 0;
    for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
      keys +=
          std::max<Index>(0, std::min(a[x].second, b[y].second) - std::max(a[x].first, b[y].first));
      (a[x].second < b[y].second ? x : y)++;
    }
    return keys;
  }
};

Index keysIn(const KeyRanges& ranges) {
  Index keys = 0;
  for (const KeyRange& range : ranges)
    keys += count(range);
  return keys;
}

struct Sums {
  Index first = 0;
  Index second = 0;
  Index both = 0;
  std::optional<Index> firstRow;
};

Sums sweep(const Prepared& a, const Prepared& b, Index rowBegin, Index rowEnd, const Run& run) {
  Sums sums;
  RowPair rows;
  for (Index i = rowBegin; i < rowEnd; ++i) {
    run.check();
    a.row(i, rows.first);
    b.row(i, rows.second);
    const Index first = keysIn(rows.first);
    const Index second = keysIn(rows.second);
    const Index both = rows.first == rows.second ? first : rows.both();
    sums.first += first;
    sums.second += second;
    sums.both += both;
    if (!sums.firstRow && first + second > 2 * both)
      sums.firstRow = i;
  }
  return sums;
}

// Of a query for which they differ.
std::optional<Index> firstDifferentKey(const Prepared& a, const Prepared& b, Index query) {
  KeyRanges ranges;
  std::vector<std::pair<Index, Index>> first;
  std::vector<std::pair<Index, Index>> second;
  a.row(query, ranges);
  appendRuns(ranges, first);
  b.row(query, ranges);
  appendRuns(ranges, second);
  Index same = 0; // keys before it are equal
  for (std::size_t x = 0, y = 0; x < first.size() || y < second.size();) {
    while (x < first.size() && first[x].second <= same)
      ++x;
    while (y < second.size() && second[y].second <= same)
      ++y;
    if (x == first.size() && y == second.size())
      break;
    constexpr Index kNever = kMaxLength;
    const Index left = x < first.size() ? std::max(first[x].first, same) : kNever;
    const Index right = y < second.size() ? std::max(second[y].first, same) : kNever;
    if (left != right)
      return std::min(left, right);
    same = std::min(first[x].second, second[y].second);
  }
  return std::nullopt;
}

Difference located(Difference of, const Prepared& a, const Prepared& b) {
  if (of.firstRow)
    of.firstKey = firstDifferentKey(a, b, *of.firstRow);
  return of;
}

} // namespace

Difference difference(const std::shared_ptr<const Prepared>& first,
                      const std::shared_ptr<const Prepared>& second, int threads, const Run& run) {
  const Lengths lengths = first->lengths();
  if (second->lengths() != lengths)
    throw Error(ErrorCode::Shape, "with",
                "the second pattern is " + text(second->lengths()) +
                    "; it must have the shape of the first, " + text(lengths));
  const auto common = compose(Operation::Intersection, {first, second}, {"first", "second"});
  if (common->closedForm())
    return located(finished(first->pairs(), second->pairs(), common->pairs(),
                            firstDifferentRow(*first, *second, *common)),
                   *first, *second);
  std::vector<Sums> chunks(static_cast<std::size_t>(ceilDiv(lengths.queries, kRows)));
  parallelFor(static_cast<Index>(chunks.size()), threads, run, [&](Index chunk) {
    chunks[static_cast<std::size_t>(chunk)] =
        sweep(*first, *second, chunk * kRows, std::min(lengths.queries, (chunk + 1) * kRows), run);
  });
  Sums all;
  for (const Sums& sums : chunks) {
    all.first += sums.first;
    all.second += sums.second;
    all.both += sums.both;
    if (!all.firstRow)
      all.firstRow = sums.firstRow;
  }
  return located(finished(all.first, all.second, all.both, all.firstRow), *first, *second);
}

} // namespace attention
