#include "core/analysis/check/mask_report.h"

#include "core/pattern/row_runs.h"
#include "core/support/error.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

constexpr Index kRowsBetweenLooks = 1024;

// Tiles of b × b cells are constant iff cells change only where b divides the row or the key.
class TileSize {
public:
  explicit TileSize(const Lengths& lengths)
      : keys_(lengths.keys), most_(std::min(lengths.queries, keys_)) {}

  void add(Index row, const Runs& runs, const Runs& before) {
    if (divisor_ == 1)
      return;
    if (row > 0 && runs != before)
      divisor_ = std::gcd(divisor_, row);
    for (const auto& [begin, end] : runs) {
      divisor_ = std::gcd(divisor_, begin);
      if (end < keys_)
        divisor_ = std::gcd(divisor_, end);
    }
  }

  Index largest() const {
    if (divisor_ == 0) // no change at all
      return std::max<Index>(most_, 1);
    for (Index b = std::min(most_, divisor_); b > 1; --b)
      if (divisor_ % b == 0)
        return b;
    return 1;
  }

private:
  Index keys_;
  Index most_;
  Index divisor_ = 0; // of all places of changes
};

// Compares each row up to the diagonal with the column that mirrors it. The column is known when
// its row comes, since all its cells above the diagonal lie in earlier rows.
class Symmetry {
public:
  explicit Symmetry(Index n) : columns_(static_cast<std::size_t>(n)), n_(n) {}

  void add(Index row, const Runs& runs) {
    Runs above = within(runs, row + 1, n_);
    forEachDifference(above_, above, [&](Index begin, Index end) {
      for (Index key = begin; key < end; ++key)
        turn(columns_[static_cast<std::size_t>(key)], row);
    });
    above_ = std::move(above);
    Runs& mirrored = columns_[static_cast<std::size_t>(row)];
    forEachDifference(within(runs, 0, row), mirrored, [&](Index begin, Index end) {
      pairs_ += end - begin;
      if (!first_)
        first_ = {row, begin};
    });
    Runs().swap(mirrored); // no longer needed
  }

  Index pairs() const { return pairs_; }
  const std::optional<IndexPair>& first() const { return first_; }

private:
  static constexpr Index kOpen = -1;

  // From this row on the column attends, or does not.
  static void turn(Runs& column, Index row) {
    if (!column.empty() && column.back().second == kOpen)
      column.back().second = row;
    else
      column.emplace_back(row, kOpen);
  }

  std::vector<Runs> columns_; // rows above the diagonal that attend to the key
  Index n_;
  Runs above_; // the keys of the row before, behind its diagonal
  Index pairs_ = 0;
  std::optional<IndexPair> first_;
};

// The rows of a mask, one after the other.
template <class Visit>
void forEachRow(const Prepared& mask, const Run& run, Visit visit) {
  const Index queries = mask.lengths().queries;
  KeyRanges ranges;
  Runs runs;
  Runs before;
  for (Index i = 0; i < queries; ++i) {
    if (i % kRowsBetweenLooks == 0)
      run.report(static_cast<double>(i) / static_cast<double>(queries));
    rowRuns(mask, i, ranges, runs);
    visit(i, runs, before);
    std::swap(runs, before);
  }
}

void addRow(MaskReport& report, Index row, const Runs& runs) {
  const Index token = row + report.keys - report.queries;
  const Runs future = within(runs, std::max<Index>(token + 1, 0), report.keys);
  report.pairs += keysOf(runs);
  report.futureCells += keysOf(future);
  if (!report.firstFuture && !future.empty())
    report.firstFuture = {row, future.front().first};
  if (runs.empty())
    report.emptyRows.push_back(row);
  if (token < 0 || !contains(runs, token))
    report.rowsWithoutSelf.push_back(row);
}

std::vector<Index> keysWithout(const Runs& used, Index keys) {
  std::vector<Index> unused;
  forEachDifference(used, {{0, keys}}, [&](Index begin, Index end) {
    for (Index key = begin; key < end; ++key)
      unused.push_back(key);
  });
  return unused;
}

} // namespace

MaskReport maskReport(const Prepared& mask, const Run& run) {
  const Lengths& lengths = mask.lengths();
  MaskReport report;
  report.queries = lengths.queries;
  report.keys = lengths.keys;
  const bool square = lengths.queries == lengths.keys;
  TileSize tiles(lengths);
  Symmetry symmetry(square ? lengths.keys : 0);
  Runs used;
  const Runs all{{0, lengths.keys}};
  forEachRow(mask, run, [&](Index row, const Runs& runs, const Runs& before) {
    addRow(report, row, runs);
    tiles.add(row, runs, before);
    if (square)
      symmetry.add(row, runs);
    if (used != all)
      used = eitherOf(used, runs);
  });
  report.unusedKeys = keysWithout(used, lengths.keys);
  report.constantTile = tiles.largest();
  if (square) {
    report.asymmetricPairs = symmetry.pairs();
    report.firstAsymmetric = symmetry.first();
  }
  return report;
}

PaddingReport paddingReport(const Prepared& mask, std::span<const Index> positions,
                            const Run& run) {
  const Lengths& lengths = mask.lengths();
  Runs padded;
  for (const Index position : positions) {
    if (position < 0 || position >= lengths.keys)
      throwRange("padding", std::to_string(position),
                 "a list of keys from 0 to " + std::to_string(lengths.keys - 1));
    padded.emplace_back(position, position + 1);
  }
  join(padded);
  PaddingReport report;
  forEachRow(mask, run, [&](Index row, const Runs& runs, const Runs&) {
    const Index token = row + lengths.keys - lengths.queries;
    if (token >= 0 && contains(padded, token)) {
      if (!runs.empty())
        report.activeRows.push_back(row);
      return;
    }
    const Runs seen = bothOf(runs, padded);
    report.seenCells += keysOf(seen);
    if (!report.firstSeen && !seen.empty())
      report.firstSeen = {row, seen.front().first};
  });
  return report;
}

} // namespace attention
