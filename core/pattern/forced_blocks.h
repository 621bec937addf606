// Blocks that are forced before others are chosen (S20.3): the first and the last of those before
// and with the own one. They take part of the count; the rest goes to the best of the others.
#pragma once

#include "core/pattern/largest_scores.h"

#include <algorithm>
#include <vector>

namespace attention {

struct ForcedBlocks {
  Index candidates = 0; // blocks 0 … candidates − 1
  Index first = 0;      // how many of the first are forced
  Index last = 0;       // and of the last

  // The others are [begin, end).
  Index begin() const { return std::min(first, candidates); }
  Index end() const { return std::max(begin(), candidates - std::min(last, candidates)); }
  bool contains(Index c) const { return c < candidates && (c < begin() || c >= end()); }
  // Those that are not forced, and how many of `most` are left for them; the same for every number
  // of candidates at which there are others.
  Others others() const { return {end(), -1, begin()}; }
  Index left(Index most) const {
    return std::max<Index>(most - std::min(first, most) - std::min(last, most), 0);
  }

  std::vector<Index> blocks() const {
    std::vector<Index> list;
    for (Index c = 0; c < candidates; ++c)
      if (c < begin() || c >= end())
        list.push_back(c);
    return list;
  }
};

} // namespace attention
