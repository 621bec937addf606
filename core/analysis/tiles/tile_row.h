// Pairs in every tile of one row of tiles: ranges of keys add to the tiles at their ends, and to
// those between by differences, so that no cell is looked at.
#pragma once

#include "core/analysis/tiles/tile_counts.h"

#include <span>
#include <vector>

namespace attention {

// E_RANGE where a side of the block is below 1 or above 2^30.
void checkBlock(const BlockSize& block);

class TileRow {
public:
  TileRow(const Prepared& pattern, const BlockSize& block);

  // Counts the queries from `rowBegin` on, as many as a block has, or as are left.
  void count(Index rowBegin);
  // One number per tile of that row.
  std::span<const Index> pairs() const { return pairs_; }
  Index rows() const { return rows_; } // that it counted

private:
  void add(Index begin, Index end);

  const Prepared& pattern_;
  BlockSize block_;
  Index rows_ = 0;
  KeyRanges ranges_;
  std::vector<Index> pairs_; // by tile
  std::vector<Index> steps_; // how many more keys the tiles from here on have
};

} // namespace attention
