#include "core/analysis/check/row_facts.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

// Places that every row from the last one up has, where row i decides only about places ≤ i: whole
// columns below the diagonal by their keys, whole diagonals by their offsets.
class CommonPlaces {
public:
  explicit CommonPlaces(Index n) : open_{{0, n}} {}

  // Rows come from the last one up.
  void meet(Index row, const Runs& places) {
    open_ = bothOf(open_, places);
    if (contains(open_, row)) // no earlier row decides about it
      common_.push_back(row);
    open_ = within(open_, 0, row);
  }

  std::vector<Index> ascending() const { return {common_.rbegin(), common_.rend()}; }

private:
  Runs open_;
  std::vector<Index> common_;
};

// The offsets i − j of a row's keys up to i.
Runs offsetsOf(const Runs& keys, Index row) {
  Runs offsets;
  for (auto run = keys.rbegin(); run != keys.rend(); ++run)
    if (run->first <= row)
      offsets.emplace_back(std::max<Index>(row - run->second + 1, 0), row - run->first + 1);
  return offsets;
}

Index stepOf(Index step, const Runs& keys, Index row) {
  for (const auto& [begin, end] : keys) {
    if (end - begin > 1 || step == 1)
      return 1;
    step = std::gcd(step, row - begin);
  }
  return step;
}

void addEnds(RowFacts& facts, Index row, const Runs& keys) {
  const auto at = static_cast<std::size_t>(row);
  if (keys.empty()) {
    facts.hasEmptyRow = true;
    facts.everySelf = false;
    return;
  }
  const Index first = keys.front().first;
  const Index last = keys.back().second - 1;
  facts.ends[at] = {first, last};
  facts.back = facts.any ? std::max(facts.back, row - first) : row - first;
  facts.ahead = facts.any ? std::max(facts.ahead, last - row) : last - row;
  facts.any = true;
  facts.future = facts.future || last > row;
  facts.everySelf = facts.everySelf && contains(keys, row);
  facts.step = stepOf(facts.step, keys, row);
}

std::vector<Index> everyKeyOf(const Runs& runs) {
  std::vector<Index> keys;
  for (const auto& [begin, end] : runs)
    for (Index key = begin; key < end; ++key)
      keys.push_back(key);
  return keys;
}

// Where something lies in the future, full rows and columns are full altogether.
void keepWhole(RowFacts& facts, const Runs& inEveryRow) {
  facts.fullColumns = everyKeyOf(inEveryRow);
  std::erase_if(facts.fullRows, [&](Index row) {
    return facts.ends[static_cast<std::size_t>(row)].last != facts.n - 1;
  });
}

} // namespace

RowFacts rowFacts(const Prepared& mask, const Run& run) {
  const Index n = mask.lengths().keys;
  RowFacts facts;
  facts.n = n;
  facts.ends.resize(static_cast<std::size_t>(n));
  CommonPlaces columns(n);
  CommonPlaces diagonals(n);
  Runs inEveryRow{{0, n}};
  KeyRanges ranges;
  Runs keys;
  for (Index row = n - 1; row >= 0; --row) {
    run.check();
    rowRuns(mask, row, ranges, keys);
    addEnds(facts, row, keys);
    if (row == 0 || !contains(keys, row - 1))
      facts.starts.push_back(row);
    // A row that is full as far as it may be: one run from 0 to the end or to itself.
    if (keys.size() == 1 && keys[0].first == 0 &&
        (keys[0].second == row + 1 || keys[0].second == n))
      facts.fullRows.push_back(row);
    columns.meet(row, keys);
    diagonals.meet(row, offsetsOf(keys, row));
    inEveryRow = bothOf(inEveryRow, keys);
    if (row == n - 1)
      facts.lastRow = keys;
  }
  facts.firstRow = keys;
  std::reverse(facts.starts.begin(), facts.starts.end());
  std::reverse(facts.fullRows.begin(), facts.fullRows.end());
  facts.fullDiagonals = diagonals.ascending();
  if (facts.future)
    keepWhole(facts, inEveryRow);
  else
    facts.fullColumns = columns.ascending();
  return facts;
}

} // namespace attention
