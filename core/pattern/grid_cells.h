// The neighbours of the cells of a grid whose tokens are numbered row by row: every neighbour
// (Δr, Δc) is one diagonal i − j of the mask, on the residues of i modulo the columns that have it
// (S4.12). Counts are closed forms, so grids of any size need no list of edges.
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct Grid {
  Index rows = 1;
  Index cols = 1;
  bool diagonal = false; // 8 neighbours, not 4
  bool wrap = false;     // a torus
  bool causal = false;   // only keys before the query
};

// Neighbours without the cell itself.
class GridCells {
public:
  explicit GridCells(const Grid& grid);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  Index count(const Rect& rect) const; // O(1): at most 36 pieces
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;

  // "cells (2, 3) and (2, 4) are neighbours".
  std::string explain(Index i, Index j) const;

private:
  // Cells i − j = distance with begin ≤ i mod columns < end.
  struct Piece {
    Index distance;
    Index begin;
    Index end;
  };
  void append(Index rowStep, Index columnStep);
  void appendPiece(const Piece& piece);
  void merge();

  Grid grid_;
  std::vector<Piece> pieces_; // disjoint
};

} // namespace attention
