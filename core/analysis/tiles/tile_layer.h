// The tiles of a mask as a picture: which are full, partial or empty (tile_counts.h). Where single
// tiles would be too small to see, squares of several stand for them.
#pragma once

#include "core/analysis/tiles/tile_counts.h"
#include "core/pattern/coverage.h"

#include <cstdint>
#include <vector>

namespace attention {

enum class TileKind : std::uint8_t { Empty, Partial, Full };

struct TileGrid {
  BlockSize block;
  Index group = 1; // a square stands for group × group tiles
  Lattice lattice; // the edges of the squares, in cells
};

// The squares that meet `cells`, at most about `most` of them in either direction. E_RANGE as
// checkBlock.
TileGrid tileGrid(const Rect& cells, const Lengths& lengths, const BlockSize& block, Index most);

// Of a square with these edges that holds `pairs`: full where all its tiles are, empty where all
// are; a tile that the edge of the mask cuts is never full.
TileKind tileKind(const Rect& square, const BlockSize& block, Index pairs);

// Of all squares, row by row.
std::vector<TileKind> tileKinds(const Lattice& lattice, const BlockSize& block,
                                const Coverage& coverage);

// A grid with its kinds: part of a figure.
struct TileLayer {
  TileGrid grid;
  std::vector<TileKind> kinds;
  bool exact = true; // false where rows were sampled
};
TileLayer tileLayer(const Prepared& pattern, const TileGrid& grid, int threads = 1,
                    const Run& run = {});

} // namespace attention
