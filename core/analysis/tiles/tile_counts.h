// A mask as block-sparse kernels see it: in tiles of block_q × block_k cells, of which full and
// partial ones are computed whole (FlexAttention's BlockMask; spec T9).
#pragma once

#include "core/pattern/prepared.h"
#include "core/support/run.h"

namespace attention {

struct BlockSize {
  Index queries = 128;
  Index keys = 128;
  bool operator==(const BlockSize&) const = default;
};

struct TileCounts {
  // Full tiles hold block_q · block_k pairs; a shorter tile at the edge is never full, since
  // libraries pad it with cells that do not attend.
  Index full = 0;
  Index partial = 0;
  Index empty = 0;
  Index fullCut = 0;          // tiles of which every cell inside the mask attends
  Index wantedPairs = 0;      // that attend
  Index computedPairs = 0;    // cells of the tiles that are not empty
  Index computedPairsCut = 0; // those inside the mask
  bool exact = true;          // false where rows of tiles were sampled, and counts scaled up

  Index wastedPairs() const { return computedPairs - wantedPairs; }
  double waste() const;        // of what is computed; 0 where nothing is
  double blockDensity() const; // tiles that are not empty, of all
};

// Masks with more tiles than this are sampled where they are no band.
constexpr Index kMostCountedTiles = Index{1} << 26;
// And those without a closed form where they have more cells than this.
constexpr Index kMostCountedCells = Index{1} << 30;

// Bands −b ≤ i − j ≤ a over as many keys as queries take O(n / block_q), whatever n is; others a
// look at every row of the tile rows that are counted. E_RANGE: a block below 1. The same numbers
// at any number of threads.
TileCounts countTiles(const Prepared& pattern, const BlockSize& block, int threads = 0,
                      const Run& run = {});

} // namespace attention
