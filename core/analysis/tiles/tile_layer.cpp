#include "core/analysis/tiles/tile_layer.h"

#include "core/analysis/tiles/tile_row.h"

#include <algorithm>

namespace attention {
namespace {

// Multiples of `step` around [begin, end), cut to [0, n].
std::vector<Index> edgesAround(Index begin, Index end, Index step, Index n) {
  std::vector<Index> edges;
  for (Index at = begin / step * step; at < end; at += step)
    edges.push_back(at);
  edges.push_back(std::min(ceilDiv(std::max<Index>(end, 1), step) * step, n));
  return edges;
}

} // namespace

TileGrid tileGrid(const Rect& cells, const Lengths& lengths, const BlockSize& block, Index most) {
  checkBlock(block);
  TileGrid grid{block, 1, {}};
  const auto squares = [&](Index cellsAlong, Index size) {
    return ceilDiv(cellsAlong, grid.group * size);
  };
  while (std::max(squares(cells.rowEnd - cells.rowBegin, block.queries),
                  squares(cells.keyEnd - cells.keyBegin, block.keys)) > std::max<Index>(most, 1))
    grid.group *= 2;
  grid.lattice = {
      edgesAround(cells.rowBegin, cells.rowEnd, grid.group * block.queries, lengths.queries),
      edgesAround(cells.keyBegin, cells.keyEnd, grid.group * block.keys, lengths.keys)};
  return grid;
}

TileKind tileKind(const Rect& square, const BlockSize& block, Index pairs) {
  const Index rows = square.rowEnd - square.rowBegin;
  const Index keys = square.keyEnd - square.keyBegin;
  if (pairs == 0)
    return TileKind::Empty;
  const bool whole = rows % block.queries == 0 && keys % block.keys == 0;
  return whole && pairs == rows * keys ? TileKind::Full : TileKind::Partial;
}

std::vector<TileKind> tileKinds(const Lattice& lattice, const BlockSize& block,
                                const Coverage& coverage) {
  std::vector<TileKind> kinds;
  kinds.reserve(static_cast<std::size_t>(lattice.rows() * lattice.cols()));
  const auto& rows = lattice.rowEdges;
  const auto& keys = lattice.keyEdges;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < keys.size(); ++c)
      kinds.push_back(tileKind({rows[r], rows[r + 1], keys[c], keys[c + 1]}, block,
                               coverage.total(static_cast<Index>(r), static_cast<Index>(c))));
  return kinds;
}

TileLayer tileLayer(const Prepared& pattern, const TileGrid& grid, int threads, const Run& run) {
  const Coverage coverage = computeCoverage(pattern, grid.lattice, run, threads);
  return {grid, tileKinds(grid.lattice, grid.block, coverage), coverage.exact};
}

} // namespace attention
