// Which block size suits a mask: larger tiles keep a kernel busier, smaller ones compute fewer
// pairs that do not attend.
#pragma once

#include "core/analysis/tiles/tile_counts.h"

#include <array>
#include <vector>

namespace attention {

// Sizes with which block-sparse kernels are built, small to large.
constexpr std::array<BlockSize, 7> kKernelBlocks{
    {{16, 16}, {32, 32}, {64, 64}, {64, 128}, {128, 64}, {128, 128}, {256, 256}}};

// So much more than the fewest computed pairs is a fair price for larger tiles.
constexpr double kFairPrice = 0.1;

struct BlockCandidate {
  BlockSize block;
  TileCounts counts;
};

struct BlockChoice {
  std::vector<BlockCandidate> candidates; // kKernelBlocks
  // The largest block that computes at most kFairPrice more pairs than the candidate that computes
  // fewest; of two as large, the one that computes fewer.
  std::size_t best = 0;

  const BlockCandidate& chosen() const { return candidates[best]; }
};

// As countTiles, for each of them.
BlockChoice bestBlock(const Prepared& pattern, int threads = 0, const Run& run = {});

} // namespace attention
