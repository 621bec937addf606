#include "core/pattern/bit_runs.h"

namespace attention {
namespace {

// Fewer runs do not make a comb.
constexpr Index kLeastRunsOfComb = 4;

// Where the row first stops repeating itself with this period, if it does from `begin` on.
Index periodicEnd(const BitRow& row, Index begin, Index period) {
  for (Index at = begin; at + period < row.size; at += 64) {
    const std::uint64_t change = row.bitsFrom(at) ^ row.bitsFrom(at + period);
    if (change != 0)
      return std::min(row.size, at + period + static_cast<Index>(std::countr_zero(change)));
  }
  return row.size;
}

} // namespace

void appendRanges(std::span<const std::uint64_t> bits, const KeySpan& span, KeyRanges& ranges) {
  const BitRow row{bits.data(), span.end - span.begin};
  for (Index at = row.firstSet(0); at < row.size;) {
    const Index end = row.firstUnset(at);
    const Index following = row.firstSet(end);
    const Index period = following - at;
    if (following < row.size) {
      const Index combEnd = periodicEnd(row, at, period);
      if (combEnd - at >= kLeastRunsOfComb * period) {
        ranges.push_back({span.begin + at, span.begin + combEnd, period, end - at});
        at = row.firstSet(combEnd);
        continue;
      }
    }
    ranges.push_back({span.begin + at, span.begin + end, 1, 1});
    at = following;
  }
}

} // namespace attention
