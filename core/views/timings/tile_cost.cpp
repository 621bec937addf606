#include "core/views/timings/scene_timings.h"

#include "core/analysis/tiles/tile_counts.h"
#include "core/pattern/mechanism/all.h"
#include "core/support/number_text.h"

#include <algorithm>

namespace attention {
namespace {

constexpr double kSlow = 1.5;       // times what its pairs suggest
constexpr Index kLeastLength = 256; // of one with several tiles

struct SlowRow {
  const TimingRow* row = nullptr;
  const TimingRow* dense = nullptr;
  double time = 0;  // of dense attention's
  double pairs = 0; // likewise

  double excess() const { return time / pairs; }
};

bool isDense(const ScoredMethod& method) {
  const auto* pattern = std::get_if<Pattern>(&method);
  return pattern && (pattern->is<Full>() || pattern->is<Causal>());
}

bool isCounted(const ScoredMethod& method) {
  const auto* pattern = std::get_if<Pattern>(&method);
  return pattern && !isDense(method) && !needsData(*pattern);
}

// The dense row at the same n; of two, the slower one, which has all pairs.
const TimingRow* denseAt(const Timings& timings, std::span<const ScoredMethod> methods, Index n) {
  const TimingRow* found = nullptr;
  for (const TimingRow& row : timings.rows)
    if (row.n == n && isDense(methods[row.method]) && row.work.pairs.value_or(0) > 0 &&
        (!found || *row.work.pairs > *found->work.pairs))
      found = &row;
  return found;
}

// At the largest n of each pattern at which dense attention was measured too.
SlowRow slowest(const Timings& timings, std::span<const ScoredMethod> methods) {
  std::vector<SlowRow> largest(methods.size());
  for (const TimingRow& row : timings.rows) {
    const TimingRow* dense = denseAt(timings, methods, row.n);
    if (!dense || row.n < kLeastLength || !isCounted(methods[row.method]) ||
        row.work.pairs.value_or(0) <= 0 || dense->seconds.median <= 0)
      continue;
    SlowRow& of = largest[row.method];
    if (!of.row || of.row->n < row.n)
      of = {&row, dense, row.seconds.median / dense->seconds.median,
            static_cast<double>(*row.work.pairs) / static_cast<double>(*dense->work.pairs)};
  }
  SlowRow worst;
  for (const SlowRow& of : largest)
    if (of.row && of.excess() >= kSlow && (!worst.row || of.excess() > worst.excess()))
      worst = of;
  return worst;
}

std::string share(double of) {
  return readableNumber(100 * of) + " %";
}

} // namespace

std::optional<std::string> tileCostSentence(const Timings& timings,
                                            std::span<const ScoredMethod> methods,
                                            std::span<const std::string> names, const Run& run) {
  const SlowRow slow = slowest(timings, methods);
  if (!slow.row)
    return std::nullopt;
  const Index n = slow.row->n;
  const auto prepared =
      prepare(std::get<Pattern>(methods[slow.row->method]), squareLengths(n), run.quiet());
  const BlockSize block;
  const TileCounts tiles = countTiles(*prepared, block, run.threads, run.quiet());
  const double whole = static_cast<double>(n) * static_cast<double>(n);
  const bool full = std::get<Pattern>(methods[slow.dense->method]).is<Full>();
  return "At n = " + groupedDigits(n) + ", " + names[slow.row->method] + " takes " +
         share(slow.time) + " of the time of " + (full ? "full" : "causal") +
         " attention but has only " + share(slow.pairs) + " of its pairs. The pairs lie in " +
         groupedDigits(tiles.full) + " full and " + groupedDigits(tiles.partial) +
         " partial 128 × 128 tiles; a kernel that computes whole tiles computes " +
         share(static_cast<double>(tiles.computedPairsCut) / whole) + " of the matrix.";
}

} // namespace attention
