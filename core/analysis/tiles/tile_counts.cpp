#include "core/analysis/tiles/tile_counts.h"

#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace attention {
namespace {

// Cells with −b ≤ i − j ≤ a, both ≥ 0 and below n.
struct WholeBand {
  Index n = 0;
  Index a = 0;
  Index b = 0;
};

// Nothing where the mask is not exactly such a band.
std::optional<WholeBand> bandOf(const Prepared& pattern) {
  const Lengths& lengths = pattern.lengths();
  const auto terms = pattern.terms();
  if (!lengths.square() || !pattern.closedForm() || pattern.hasTables() || terms.size() != 1 ||
      terms.front().sign != 1)
    return std::nullopt;
  const Primitive& shape = terms.front().primitive;
  const Index last = lengths.keys - 1;
  if (intersection(shape.clip, pattern.bounds()) != pattern.bounds())
    return std::nullopt;
  if (shape.shape == Shape::Area && !shape.causal)
    return WholeBand{lengths.keys, last, last};
  if (shape.shape != Shape::Band || shape.period != 1 || shape.lo > 0 || shape.hi < 0)
    return std::nullopt;
  return WholeBand{lengths.keys, std::min(shape.hi, last), std::min(-shape.lo, last)};
}

// Pairs of a band whose one side reaches `reach` cells off the diagonal, without the diagonal.
Index sidePairs(Index n, Index reach) {
  return reach * n - reach * (reach + 1) / 2;
}

// T9: one look at each row of tiles.
TileCounts countBand(const WholeBand& band, const BlockSize& block, const Run& run) {
  const auto& [n, a, b] = band;
  TileCounts counts;
  Index some = 0;
  for (Index i0 = 0; i0 < n; i0 += block.queries) {
    run.check();
    const Index i1 = std::min(i0 + block.queries, n);
    const Index low = std::max<Index>(0, i0 - a) / block.keys;
    const Index high = std::min(n - 1, i1 - 1 + b) / block.keys;
    some += high - low + 1;
    counts.computedPairsCut +=
        (i1 - i0) * (std::min(n, (high + 1) * block.keys) - low * block.keys);
    const Index firstFull = ceilDiv(std::max<Index>(0, i1 - 1 - a), block.keys);
    const Index top = std::min(n, i0 + b + 1);
    if (i1 - i0 == block.queries)
      counts.full += std::max<Index>(0, top / block.keys - firstFull);
    const Index cutEnd = top == n ? ceilDiv(n, block.keys) : top / block.keys;
    counts.fullCut += std::max<Index>(0, cutEnd - firstFull);
  }
  counts.partial = some - counts.full;
  counts.empty = ceilDiv(n, block.queries) * ceilDiv(n, block.keys) - some;
  counts.wantedPairs = n + sidePairs(n, a) + sidePairs(n, b);
  counts.computedPairs = some * block.queries * block.keys;
  return counts;
}

// Pairs in every tile of one row of tiles: ranges of keys add to the tiles at their ends, and to
// those between by differences.
class TileRow {
public:
  TileRow(const Prepared& pattern, const BlockSize& block)
      : pattern_(pattern), block_(block), keys_(pattern.lengths().keys),
        pairs_(static_cast<std::size_t>(ceilDiv(keys_, block.keys))), steps_(pairs_.size() + 1) {}

  void addTo(TileCounts& counts, Index rowBegin) {
    const Index rowEnd = std::min(rowBegin + block_.queries, pattern_.lengths().queries);
    std::fill(pairs_.begin(), pairs_.end(), 0);
    std::fill(steps_.begin(), steps_.end(), 0);
    for (Index i = rowBegin; i < rowEnd; ++i) {
      pattern_.row(i, ranges_);
      for (const KeyRange& range : ranges_)
        forEachRun(range, [this](Index begin, Index end) { add(begin, end); });
    }
    tally(counts, rowEnd - rowBegin);
  }

private:
  void add(Index begin, Index end) {
    const auto first = static_cast<std::size_t>(begin / block_.keys);
    const auto last = static_cast<std::size_t>((end - 1) / block_.keys);
    if (first == last) {
      pairs_[first] += end - begin;
      return;
    }
    pairs_[first] += static_cast<Index>(first + 1) * block_.keys - begin;
    pairs_[last] += end - static_cast<Index>(last) * block_.keys;
    steps_[first + 1] += block_.keys;
    steps_[last] -= block_.keys;
  }

  void tally(TileCounts& counts, Index rows) const {
    Index between = 0;
    for (std::size_t tile = 0; tile < pairs_.size(); ++tile) {
      between += steps_[tile];
      const Index pairs = pairs_[tile] + between;
      const Index left = keys_ - static_cast<Index>(tile) * block_.keys;
      const Index cells = rows * std::min(left, block_.keys);
      const Index whole = block_.queries * block_.keys;
      counts.full += pairs == whole ? 1 : 0;
      counts.partial += pairs > 0 && pairs < whole ? 1 : 0;
      counts.empty += pairs == 0 ? 1 : 0;
      counts.fullCut += pairs == cells ? 1 : 0;
      counts.wantedPairs += pairs;
      counts.computedPairs += pairs > 0 ? whole : 0;
      counts.computedPairsCut += pairs > 0 ? cells : 0;
    }
  }

  const Prepared& pattern_;
  BlockSize block_;
  Index keys_;
  KeyRanges ranges_;
  std::vector<Index> pairs_; // of the ranges' ends, by tile
  std::vector<Index> steps_; // how many more keys the tiles from here on have
};

constexpr auto kCounted = {&TileCounts::full,
                           &TileCounts::partial,
                           &TileCounts::empty,
                           &TileCounts::fullCut,
                           &TileCounts::wantedPairs,
                           &TileCounts::computedPairs,
                           &TileCounts::computedPairsCut};

TileCounts sumOf(const std::vector<TileCounts>& parts) {
  TileCounts sum;
  for (const TileCounts& part : parts)
    for (const auto member : kCounted)
      sum.*member += part.*member;
  return sum;
}

// Rows of tiles that are looked at: all, or as many evenly spread ones as have the most tiles.
std::vector<Index> lookedAt(Index tileRows, Index tileColumns) {
  const Index most = std::max<Index>(1, kMostCountedTiles / tileColumns);
  const Index count = std::min(tileRows, most);
  std::vector<Index> rows;
  for (Index k = 0; k < count; ++k)
    rows.push_back(count == tileRows ? k : (2 * k + 1) * tileRows / (2 * count));
  return rows;
}

TileCounts countRows(const Prepared& pattern, const BlockSize& block, int threads, const Run& run) {
  const Index tileRows = ceilDiv(pattern.lengths().queries, block.queries);
  const std::vector<Index> rows = lookedAt(tileRows, ceilDiv(pattern.lengths().keys, block.keys));
  constexpr Index kChunk = 16; // rows of tiles
  std::vector<TileCounts> parts(static_cast<std::size_t>(ceilDiv(std::ssize(rows), kChunk)));
  parallelFor(std::ssize(parts), threads, run, [&](Index chunk) {
    TileRow row(pattern, block);
    const Index end = std::min((chunk + 1) * kChunk, std::ssize(rows));
    for (Index k = chunk * kChunk; k < end; ++k)
      row.addTo(parts[static_cast<std::size_t>(chunk)],
                rows[static_cast<std::size_t>(k)] * block.queries);
  });
  TileCounts counts = sumOf(parts);
  if (std::ssize(rows) == tileRows)
    return counts;
  counts.exact = false;
  const double factor = static_cast<double>(tileRows) / static_cast<double>(rows.size());
  for (const auto member : kCounted)
    counts.*member = static_cast<Index>(std::llround(factor * static_cast<double>(counts.*member)));
  return counts;
}

} // namespace

double TileCounts::waste() const {
  return computedPairs == 0
             ? 0
             : static_cast<double>(wastedPairs()) / static_cast<double>(computedPairs);
}

double TileCounts::blockDensity() const {
  return static_cast<double>(full + partial) / static_cast<double>(full + partial + empty);
}

TileCounts countTiles(const Prepared& pattern, const BlockSize& block, int threads,
                      const Run& run) {
  for (const Index size : {block.queries, block.keys})
    if (size < 1)
      throwRange("block", std::to_string(size), "at least 1 in both directions");
  const std::optional<WholeBand> band = bandOf(pattern);
  return band ? countBand(*band, block, run) : countRows(pattern, block, threads, run);
}

} // namespace attention
