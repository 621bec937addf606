// The cells of a mask merged into few rectangles: runs of keys in a row, joined with equal runs of
// the rows below. For vector files, where one shape per cell would make millions.
#pragma once

#include "core/pattern/prepared.h"

#include <optional>
#include <vector>

namespace attention {

// Every cell of `cells` has `part` as its first part; a pattern of more than kMostPartsShown parts
// has only part 0.
struct CellRect {
  Rect cells;
  std::size_t part = 0;
  bool operator==(const CellRect&) const = default;
};

// Disjoint rectangles that hold exactly the attended cells inside `cells`, by part and then from
// the top; nothing if there would be more than `most`. O(runs of the rows).
std::optional<std::vector<CellRect>> cellRects(const Prepared& pattern, const Rect& cells,
                                               std::size_t most, const Run& run = {});

} // namespace attention
