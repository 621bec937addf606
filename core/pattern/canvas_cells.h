// Cells of the tokens of a canvas of one to three axes, where a token sees those whose coordinate
// lies in its window on every axis (T1). Tokens are numbered row by row, or tile by tile and row by
// row within a tile.
//
// A stretch of tokens is a few boxes, and the pairs of two boxes are products of pairs on the axes:
// counts are closed forms.
#pragma once

#include "core/pattern/axis_window.h"
#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace attention {

constexpr std::size_t kMostAxes = 3;

// Coordinates of a token; axes beyond those of the canvas are 0.
using CanvasPlace = std::array<Index, kMostAxes>;

class CanvasCells {
public:
  // `tile`: lengths of the tiles that tokens are numbered by; absent: row by row. 1 to kMostAxes
  // axes, tiles divide them.
  CanvasCells(std::vector<AxisWindow> axes, const std::optional<std::vector<Index>>& tile);

  const std::vector<AxisWindow>& axes() const { return axes_; }
  // Lengths of the tiles that tokens are numbered by, as long as the axes where row by row.
  const std::vector<Index>& tile() const { return tile_; }
  Index tokens() const { return tokens_; }
  CanvasPlace placeOf(Index token) const;
  Index tokenAt(const CanvasPlace& place) const;

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const; // O(1): at most 144 products
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;
  std::string explain(Index i, Index j) const;

private:
  using Digits = std::array<Index, 2 * kMostAxes>; // of a tile, then of a token in it
  // Tokens whose coordinates lie in these ranges, counted `sign` times.
  struct Box {
    Index sign = 1;
    std::array<AxisRange, kMostAxes> ranges;
  };
  // The tokens [begin, end).
  class Boxes;

  std::size_t size() const { return axes_.size(); }
  Digits digitsOf(Index token) const;
  Index pairs(const Box& queries, const Box& keys) const;
  void appendLine(const CanvasPlace& place, const AxisKeys& keys, KeyRanges& ranges) const;

  std::vector<AxisWindow> axes_;
  std::vector<Index> tile_;
  bool tiled_;
  Index tokens_ = 1;
  Index tileTokens_ = 1;
};

} // namespace attention
