#include "core/code/arrays/array_makers.h"

#include "core/analysis/tiles/tile_row.h"
#include "core/support/error.h"

#include <algorithm>

namespace attention {
namespace {

struct BlockRows {
  std::vector<Index> begins{0}; // of every row of tiles, in `columns`
  std::vector<Index> columns;   // of the tiles that are not empty
};

BlockRows blocksOf(const Prepared& pattern, const BlockSize& block, const Run& run) {
  BlockRows blocks;
  TileRow row(pattern, block);
  for (Index i = 0; i < pattern.lengths().queries; i += block.queries) {
    run.check();
    row.count(i);
    for (std::size_t tile = 0; tile < row.pairs().size(); ++tile)
      if (row.pairs()[tile] > 0)
        blocks.columns.push_back(static_cast<Index>(tile));
    blocks.begins.push_back(std::ssize(blocks.columns));
  }
  return blocks;
}

// Sets the cells of the tiles of one row of tiles.
class BlockFiller {
public:
  BlockFiller(const BlockRows& blocks, const BlockSize& block, std::vector<std::uint8_t>& cells)
      : blocks_(blocks), block_(block), cells_(cells) {}

  // Keys [begin, end) of query `i`.
  void fill(Index i, Index begin, Index end) {
    const Index row = i / block_.queries;
    const auto columns = blocks_.columns.begin();
    const auto last = columns + blocks_.begins[static_cast<std::size_t>(row + 1)];
    auto tile = std::lower_bound(columns + blocks_.begins[static_cast<std::size_t>(row)], last,
                                 begin / block_.keys);
    for (; tile != last && *tile * block_.keys < end; ++tile) {
      const Index first = *tile * block_.keys;
      const Index line = (tile - columns) * block_.queries + i % block_.queries;
      const auto at = cells_.begin() + line * block_.keys;
      std::fill(at + (std::max(begin, first) - first),
                at + (std::min(end, first + block_.keys) - first), std::uint8_t{1});
    }
  }

private:
  const BlockRows& blocks_;
  const BlockSize& block_;
  std::vector<std::uint8_t>& cells_;
};

} // namespace

MaskArrays blockRows(const Prepared& pattern, const BlockSize& block, const Run& run) {
  checkBlock(block);
  const Lengths& lengths = pattern.lengths();
  if (lengths.keys % block.keys != 0)
    throwRange("block", std::to_string(block.keys) + " in keys",
               "a divisor of their number, " + std::to_string(lengths.keys) + ", for bsr");
  const BlockRows blocks = blocksOf(pattern, block, run);
  const Index count = std::ssize(blocks.columns);
  requireFewValues("blocks", static_cast<double>(count) * static_cast<double>(block.queries) *
                                 static_cast<double>(block.keys));
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(count * block.queries * block.keys));
  BlockFiller filler(blocks, block, cells);
  KeyRanges ranges;
  for (Index i = 0; i < lengths.queries; ++i) {
    run.check();
    pattern.row(i, ranges);
    for (const KeyRange& range : ranges)
      forEachRun(range, [&](Index begin, Index end) { filler.fill(i, begin, end); });
  }
  return {integerArray("indptr", {std::ssize(blocks.begins)}, blocks.begins),
          integerArray("indices", {count}, blocks.columns),
          truthArray("blocks", {count, block.queries, block.keys}, std::move(cells))};
}

} // namespace attention
