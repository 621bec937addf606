// Which rows to sample where there are too many to count them all: one drawn from each of equal
// stretches, so that the sample is even and never in step with a stride of the pattern. Drawn by
// Philox, so that every machine samples the same rows; whoever shows a number from a sample must
// say so.
#pragma once

#include "core/support/integers.h"
#include "core/support/philox.h"

namespace attention {

// The row of stretch `k` of the `stretches` equal ones of [begin, end); 1 ≤ stretches ≤ rows.
inline Index sampledRow(Index begin, Index end, Index stretches, Index k, std::uint64_t seed = 0) {
  const Index rows = end - begin;
  const Index first = begin + rows * k / stretches;
  const Index length = begin + rows * (k + 1) / stretches - first;
  const philox::Draw draw =
      philox::draw({seed, philox::Purpose::SampledRows, 0}, static_cast<std::uint64_t>(first));
  return first + static_cast<Index>(philox::below(draw.a, static_cast<std::uint64_t>(length)));
}

} // namespace attention
