// Cells of tokens in the same segment of w tokens whose positions are s modulo r (T7), less those
// of shorter segments within.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <vector>

namespace attention {

// i div w = j div w and (i mod origin) mod r = s = (j mod origin) mod r; j ≤ i if causal. `origin`
// is a multiple of w, and w itself wherever cells are counted.
struct SegmentGrid {
  Index segment = 1;
  Index origin = 1;
  Index dilation = 1;
  Index shift = 0;
  bool causal = false;

  bool holds(Index token) const { return token % origin % dilation == shift; }
  bool contains(Index i, Index j) const;
  // Cells with i < y, j < x. O(1).
  Index corner(Index y, Index x) const;
  Index count(const Rect& rect) const;
};

class SegmentCells {
public:
  // The cells of `all`, less those of `within`, which has segments that divide those of `all` and
  // the same dilation; `keys` is n.
  SegmentCells(const SegmentGrid& all, const std::optional<SegmentGrid>& within, Index keys)
      : all_(all), within_(within), keys_(keys) {}

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const;
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

private:
  SegmentGrid all_;
  std::optional<SegmentGrid> within_;
  Index keys_;
};

} // namespace attention
