// How one direction of the matrix is cut into texels. Below one screen pixel per cell, a texel is a
// pixel and its edges are whole tokens (the nearest to the pixel's edges), so that its count is an
// exact integer; the pixels lie on one grid for the whole mask, so that a drag only shifts the
// picture. From one pixel per cell on, a texel is a cell.
//
// A margin around the visible part lets a drag go some way before anything is computed again.
#pragma once

#include "core/support/integers.h"

#include <cstddef>
#include <vector>

namespace attention::gui {

enum class TexelKind {
  Pixels,   // a texel is a pixel that covers at least one cell
  Filtered, // a texel is a pixel smaller than a cell but near to it: shares of up to two cells
  Cells,    // a texel is a cell, drawn as a square
};

// Pixels per cell from which on cells are drawn as squares.
constexpr double kSquaresFrom = 3;

struct TexelAxis {
  TexelKind kind = TexelKind::Cells;
  std::vector<Index> edges; // tokens, rising: what is counted
  double scale = 1;         // pixels per cell
  Index first = 0;          // first texel: in pixels from the mask's edge, for Cells in cells
  Index texels = 0;         // of the picture: pixels, or cells

  // Where its texels lie, in pixels from the mask's edge.
  double begin() const { return place(first); }
  double end() const { return place(first + texels); }
  double place(Index texel) const {
    return static_cast<double>(texel) * (kind == TexelKind::Cells ? scale : 1.0);
  }
  bool operator==(const TexelAxis&) const = default;
};

// The axis of n tokens when `pixels` pixels are visible from cell `start` on.
TexelAxis texelAxis(Index n, double start, double scale, Index pixels);

// All n tokens over `pixels` pixels; one texel per token where there are fewer tokens.
TexelAxis wholeAxis(Index n, Index pixels);

// A single token.
TexelAxis tokenAxis(Index token);

// Pixels from the mask's edge to the first visible one, on the grid of all pixels.
double pixelStart(const TexelAxis& axis, double start);

// For texel `texel` of a Filtered axis: the first cell (index into the cells between edges) that it
// meets, and the share of the texel that lies in it; the rest lies in the next cell.
struct CellShare {
  std::size_t cell = 0;
  double share = 1;
};
CellShare cellShare(const TexelAxis& axis, Index texel);

} // namespace attention::gui
