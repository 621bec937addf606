#include "core/analysis/tiles/tile_counts.h"

#include "core/analysis/tiles/tile_row.h"
#include "core/pattern/sampled_rows.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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

// Adds the tiles of a counted row.
void tally(const TileRow& row, const BlockSize& block, Index keys, TileCounts& counts) {
  const Index whole = block.queries * block.keys;
  Index left = keys;
  for (const Index pairs : row.pairs()) {
    const Index cells = row.rows() * std::min(left, block.keys);
    counts.full += pairs == whole ? 1 : 0;
    counts.partial += pairs > 0 && pairs < whole ? 1 : 0;
    counts.empty += pairs == 0 ? 1 : 0;
    counts.fullCut += pairs == cells ? 1 : 0;
    counts.wantedPairs += pairs;
    counts.computedPairs += pairs > 0 ? whole : 0;
    counts.computedPairsCut += pairs > 0 ? cells : 0;
    left -= block.keys;
  }
}

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

// One row of each of the equal stretches, never in step with the pattern; those of two neighbours
// mirror each other, so that what grows evenly from row to row comes out exactly.
std::vector<Index> rowsInStretches(Index rows, Index stretches) {
  std::vector<Index> drawn;
  for (Index k = 0; k + 1 < stretches; k += 2) {
    drawn.push_back(sampledRow(0, rows, stretches, k));
    const Index begin = rows * k / stretches;
    const Index middle = rows * (k + 1) / stretches;
    const Index end = rows * (k + 2) / stretches;
    drawn.push_back(std::clamp(begin + end - 1 - drawn.back(), middle, end - 1));
  }
  if (stretches % 2 != 0)
    drawn.push_back((rows * (stretches - 1) / stretches + rows - 1) / 2);
  return drawn;
}

// Rows of tiles that are looked at: all, or as many as have the most tiles and, where cells may
// have to be evaluated one by one, the most cells.
std::vector<Index> lookedAt(const Prepared& pattern, const BlockSize& block) {
  const Lengths& lengths = pattern.lengths();
  const Index tileRows = ceilDiv(lengths.queries, block.queries);
  Index most = std::max<Index>(1, kMostCountedTiles / ceilDiv(lengths.keys, block.keys));
  if (!pattern.closedForm()) {
    const Index tall = std::min(block.queries, lengths.queries);
    most = std::min(most, std::max<Index>(2, kMostCountedCells / (tall * lengths.keys)));
  }
  if (most < tileRows)
    return rowsInStretches(tileRows, most);
  std::vector<Index> rows(static_cast<std::size_t>(tileRows));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

TileCounts countRows(const Prepared& pattern, const BlockSize& block, int threads, const Run& run) {
  const Index tileRows = ceilDiv(pattern.lengths().queries, block.queries);
  const std::vector<Index> rows = lookedAt(pattern, block);
  constexpr Index kChunk = 16; // rows of tiles
  std::vector<TileCounts> parts(static_cast<std::size_t>(ceilDiv(std::ssize(rows), kChunk)));
  parallelFor(std::ssize(parts), threads, run, [&](Index chunk) {
    TileRow row(pattern, block);
    const Index end = std::min((chunk + 1) * kChunk, std::ssize(rows));
    for (Index k = chunk * kChunk; k < end; ++k) {
      row.count(rows[static_cast<std::size_t>(k)] * block.queries);
      tally(row, block, pattern.lengths().keys, parts[static_cast<std::size_t>(chunk)]);
    }
  });
  TileCounts counts = sumOf(parts);
  if (std::ssize(rows) == tileRows)
    return counts;
  counts.exact = false;
  const double factor = static_cast<double>(tileRows) / static_cast<double>(rows.size());
  for (const auto member : kCounted)
    counts.*member = static_cast<Index>(std::llround(factor * static_cast<double>(counts.*member)));
  if (!pattern.closedForm())
    return counts;
  counts.wantedPairs = pattern.pairs(run.quiet(), threads);
  for (const auto member : {&TileCounts::computedPairs, &TileCounts::computedPairsCut})
    counts.*member =
        std::max(counts.*member, counts.wantedPairs); // which a sample may fall short of
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
  checkBlock(block);
  const std::optional<WholeBand> band = bandOf(pattern);
  return band ? countBand(*band, block, run) : countRows(pattern, block, threads, run);
}

} // namespace attention
