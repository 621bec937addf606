// Rows of a mask as maximal runs of keys, combs written out: sorted, disjoint, not touching, so
// that equal rows are equal lists.
#pragma once

#include "core/pattern/prepared.h"
#include "core/pattern/value.h"

#include <vector>

namespace attention {

using Runs = std::vector<IndexPair>; // begin, end

// What keeps numbers for every row or key is asked for no more of them. E_RANGE, "n is …".
constexpr Index kMostWrittenRows = Index{1} << 24;
void requireFewRows(const Lengths& lengths);

// The keys of query `i`. `ranges` and `runs` are overwritten; pass the same ones in loops.
void rowRuns(const Prepared& pattern, Index i, KeyRanges& ranges, Runs& runs);

// Sorts runs that may overlap and joins those that do or touch.
void join(Runs& runs);

bool contains(const Runs& runs, Index key);
Index keysOf(const Runs& runs); // their number

// The keys of `runs` in [begin, end); of both; of either.
Runs within(const Runs& runs, Index begin, Index end);
Runs bothOf(const Runs& a, const Runs& b);
Runs eitherOf(const Runs& a, const Runs& b);

// The same cells written out, row i as token i: for what reads the rows of a formula many times, or
// compares masks whatever the alignment is. E_RANGE beyond 2^28 runs.
std::shared_ptr<const Prepared> writtenOut(const Prepared& pattern, const Run& run = {});

// Calls visit(begin, end) for the keys that only one of the two has, ascending; a stretch may come
// in several pieces.
template <class Visit>
void forEachDifference(const Runs& a, const Runs& b, Visit visit) {
  // Every begin and end of a run turns its list on or off.
  const auto edge = [](const Runs& runs, std::size_t k) {
    return k % 2 == 0 ? runs[k / 2].first : runs[k / 2].second;
  };
  std::size_t x = 0;
  std::size_t y = 0;
  Index from = 0;
  while (x < 2 * a.size() || y < 2 * b.size()) {
    const bool takeA = y == 2 * b.size() || (x < 2 * a.size() && edge(a, x) <= edge(b, y));
    const Index to = takeA ? edge(a, x) : edge(b, y);
    if (x % 2 != y % 2 && to > from)
      visit(from, to);
    from = to;
    ++(takeA ? x : y);
  }
}

} // namespace attention
