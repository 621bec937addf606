// Rows to look at where there are too many for all: one drawn in each of equal stretches, so that
// the sample is even and no stride of the pattern falls in step with it. Drawn by Philox, so that
// the same rows are looked at on every machine; whoever shows a number from a sample says so.
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
