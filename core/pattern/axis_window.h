// The window of one axis of a grid (T1): which coordinates a coordinate sees. Coordinates that are
// equal modulo the dilation d are a group; in a group, position p sees an interval of positions
// whose ends are stairs:
//
//   lo(p) = clamp(s ⌊p/s⌋ + shift, low, high),   end(p) likewise,   I(p) = [lo(p), end(p)).
//
// Sums of stairs are closed forms, and so is the number of pairs in any rectangle of the axis.
#pragma once

#include "core/support/integers.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attention {

// clamp(step ⌊p / step⌋ + shift, low, high), low ≤ high.
struct Stair {
  Index step = 1;
  Index shift = 0;
  Index low = 0;
  Index high = 0;

  Index at(Index p) const;
  Index sum(Index end) const;                             // of at(p) over 0 ≤ p < end; O(1)
  Stair cut(Index most) const;                            // min(at(p), most) for 0 ≤ most
  void appendBreaks(std::vector<Index>& positions) const; // where it begins or ceases to rise
};

struct AxisSpec {
  enum class Border { Natten, ZeroPad, Gym };

  Index length = 1;
  Index kernel = 1;
  Index stride = 1;
  Index dilation = 1;
  bool causal = false;
  Border border = Border::Natten;
  Index tile = 1; // coordinates of a tile see the same tiles, and those whole
};

// Coordinates begin, begin + step, … below end.
struct AxisKeys {
  Index begin = 0;
  Index end = 0;
  Index step = 1;

  Index count() const { return below(end); }
  Index operator[](Index k) const { return begin + k * step; }
  Index below(Index key) const {
    return key <= begin ? 0 : ((key < end ? key : end) - begin - 1) / step + 1;
  }
};

// Coordinates [begin, end).
struct AxisRange {
  Index begin = 0;
  Index end = 0;
};

class AxisWindow {
public:
  // The stairs of a group of `positions`.
  struct Ends {
    Stair lo;
    Stair end;
  };

  explicit AxisWindow(const AxisSpec& spec);

  AxisKeys keys(Index coordinate) const;
  bool contains(Index coordinate, Index key) const;
  // Pairs of a coordinate and a key that it sees. O(1).
  Index count(const AxisRange& coordinates, const AxisRange& keys) const;
  Index length() const { return spec_.length; }
  Index tile() const { return spec_.tile; }
  Index dilation() const { return spec_.dilation; }
  Ends endsOf(Index positions) const;
  // Coordinates at which the number of keys begins another line, and the period within.
  Index breaks(std::vector<Index>& coordinates) const;
  // "3 within 1 … 5", or what fails.
  std::string explain(Index coordinate, Index key) const;

private:
  // Tiles with so many of their coordinates each.
  struct Piece {
    AxisRange tiles;
    Index weight = 0;
  };
  struct Pieces {
    std::array<Piece, 3> all;
    std::size_t count = 0;
    const Piece* begin() const { return all.data(); }
    const Piece* end() const { return all.data() + count; }
  };

  Index groupLength(Index group) const;
  AxisKeys tilesOf(Index tile) const;
  Index pairsOfTiles(Index y, Index x) const; // with coordinate < y and key < x, in tiles
  Index countTiles(const AxisRange& tiles, const AxisRange& keys) const;
  Pieces piecesOf(const AxisRange& range) const;

  AxisSpec spec_; // of tiles, where there are any
  Index tiles_;
};

} // namespace attention
