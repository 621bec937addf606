#include "core/attention/tile_plan.h"

#include "core/attention/strip_kernel.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>

namespace attention {
namespace {

constexpr Index kLeastBlocks = 8;  // fewer are not worth it
constexpr Index kProbes = 4;       // blocks looked at
constexpr Index kLeastPairs = 16;  // a row
constexpr Index kSampleShare = 8;  // one row out of this many
constexpr Index kHashedRows = 256; // a chunk

struct Signature {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t second = std::numeric_limits<std::uint64_t>::max();
  Index query = 0;

  auto operator<=>(const Signature&) const = default;
  bool alike(const Signature& other) const {
    return first == other.first && second == other.second;
  }
};

// SplitMix64's mixing of bits (Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

Signature signatureOf(Index query, const KeyRanges& ranges) {
  Signature signature;
  signature.query = query;
  for (const KeyRange& range : ranges) {
    const std::uint64_t hash = mixed(static_cast<std::uint64_t>(range.begin) + 1);
    signature.first = std::min(signature.first, hash);
    signature.second = std::min(signature.second, std::rotl(hash, 32));
  }
  return signature;
}

// Of every `step`-th query, sorted.
std::vector<Signature> signatures(const RowSource& row, Index queries, Index step, int threads,
                                  const Run& run) {
  const Index rows = ceilDiv(queries, step);
  std::vector<Signature> all(static_cast<std::size_t>(rows));
  parallelFor(ceilDiv(rows, kHashedRows), threads, run.quiet(), [&](Index chunk) {
    KeyRanges ranges;
    for (Index r = chunk * kHashedRows; r < std::min(rows, (chunk + 1) * kHashedRows); ++r) {
      row(r * step, ranges);
      all[static_cast<std::size_t>(r)] = signatureOf(r * step, ranges);
    }
  });
  std::sort(all.begin(), all.end());
  return all;
}

// Whether a quarter of the sampled rows have a similar one.
bool manyAlike(const std::vector<Signature>& sample) {
  std::size_t alike = 0;
  for (std::size_t k = 1; k < sample.size(); ++k)
    alike += sample[k].alike(sample[k - 1]) ? std::size_t{1} : std::size_t{0};
  return 4 * alike >= sample.size();
}

// Whether blocks of neighbours leave most of what they see to single rows.
bool mostlyLone(const RowSource& row, Index queries, BlockPlanner& planner) {
  BlockKeys keys;
  KeyRanges ranges;
  Index lone = 0;
  Index pairs = 0;
  for (Index probe = 0; probe < kProbes; ++probe) {
    keys.clear();
    Index held = 0;
    const Index first = (2 * probe + 1) * queries / (2 * kProbes) / kBlockRows * kBlockRows;
    for (Index i = first; i < std::min(first + kBlockRows, queries); ++i) {
      row(i, ranges);
      if (!std::all_of(ranges.begin(), ranges.end(),
                       [](const KeyRange& range) { return range.contiguous(); }))
        return false;
      for (const KeyRange& range : ranges)
        held += count(range);
      keys.appendRow(ranges);
    }
    pairs += held;
    if (hasShortRuns(keys.row(0)) && isScattered(keys, kSharingRows, kLookedApart)) {
      lone += held;
      continue;
    }
    for (const std::vector<Interval>& intervals : planner.plan(keys).lone)
      for (const Interval& interval : intervals)
        lone += interval.end - interval.begin;
  }
  return pairs >= kLeastPairs * kProbes * kBlockRows && 2 * lone > pairs;
}

} // namespace

std::vector<Index> similarOrder(const RowSource& row, Index queries, BlockPlanner& planner,
                                int threads, const Run& run) {
  if (queries < kLeastBlocks * kBlockRows || !mostlyLone(row, queries, planner) ||
      !manyAlike(signatures(row, queries, kSampleShare, threads, run)))
    return {};
  std::vector<Index> order;
  order.reserve(static_cast<std::size_t>(queries));
  for (const Signature& signature : signatures(row, queries, 1, threads, run))
    order.push_back(signature.query);
  return order;
}

} // namespace attention
