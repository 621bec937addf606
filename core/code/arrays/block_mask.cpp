#include "core/code/arrays/array_makers.h"

#include "core/analysis/tiles/tile_row.h"

namespace attention {
namespace {

enum class Tile : std::uint8_t { Empty, Partial, Full };

struct Tiles {
  Index rows = 0;
  Index columns = 0;
  std::vector<Tile> kinds; // row after row

  Tile at(Index row, Index column) const {
    return kinds[static_cast<std::size_t>(row * columns + column)];
  }
};

Tiles tilesOf(const Prepared& pattern, const BlockSize& block, const Run& run) {
  const Lengths& lengths = pattern.lengths();
  Tiles tiles{ceilDiv(lengths.queries, block.queries), ceilDiv(lengths.keys, block.keys), {}};
  requireFewValues("kv_indices",
                   static_cast<double>(tiles.rows) * static_cast<double>(tiles.columns));
  const Index whole = block.queries * block.keys;
  TileRow row(pattern, block);
  for (Index r = 0; r < tiles.rows; ++r) {
    run.report(static_cast<double>(r) / static_cast<double>(tiles.rows));
    row.count(r * block.queries);
    for (const Index pairs : row.pairs())
      tiles.kinds.push_back(pairs == 0 ? Tile::Empty : pairs == whole ? Tile::Full : Tile::Partial);
  }
  return tiles;
}

// How many of the tiles of each line are of that kind, and all of its tiles with those first.
template <class At>
void addLines(MaskArrays& arrays, const std::string& name, Index lines, Index across,
              const At& isOf) {
  std::vector<Index> numbers;
  std::vector<Index> indices;
  numbers.reserve(static_cast<std::size_t>(lines));
  indices.reserve(static_cast<std::size_t>(lines * across));
  for (Index line = 0; line < lines; ++line) {
    const auto before = indices.size();
    for (const bool wanted : {true, false}) {
      for (Index k = 0; k < across; ++k)
        if (isOf(line, k) == wanted)
          indices.push_back(k);
      if (wanted)
        numbers.push_back(static_cast<Index>(indices.size() - before));
    }
  }
  arrays.push_back(integerArray(name + "_num_blocks", {lines}, std::move(numbers)));
  arrays.push_back(integerArray(name + "_indices", {lines, across}, std::move(indices)));
}

} // namespace

MaskArrays blockMask(const Prepared& pattern, const BlockSize& block, const Run& run) {
  checkBlock(block);
  const Tiles tiles = tilesOf(pattern, block, run);
  MaskArrays arrays;
  for (const Tile kind : {Tile::Partial, Tile::Full}) {
    const std::string prefix = kind == Tile::Full ? "full_" : "";
    addLines(arrays, prefix + "kv", tiles.rows, tiles.columns,
             [&](Index row, Index column) { return tiles.at(row, column) == kind; });
    addLines(arrays, prefix + "q", tiles.columns, tiles.rows,
             [&](Index column, Index row) { return tiles.at(row, column) == kind; });
  }
  return arrays;
}

} // namespace attention
