#include "core/pattern/grid_cells.h"

#include <algorithm>

namespace attention {
namespace {

// Number of 0 ≤ i < x with begin ≤ i mod period < end.
Index residuesBelow(Index x, Index period, Index begin, Index end) {
  return x / period * (end - begin) + std::clamp<Index>(x % period - begin, 0, end - begin);
}

} // namespace

GridCells::GridCells(const Grid& grid) : grid_(grid) {
  for (Index rowStep = -1; rowStep <= 1; ++rowStep)
    for (Index columnStep = -1; columnStep <= 1; ++columnStep) {
      const bool itself = rowStep == 0 && columnStep == 0;
      if (!itself && (grid.diagonal || rowStep == 0 || columnStep == 0))
        append(rowStep, columnStep);
    }
  merge();
}

// The diagonals of one neighbour. A step over the edge of a torus is another diagonal: rows over
// the edge are n further away, columns over the edge one row of the grid.
void GridCells::append(Index rowStep, Index columnStep) {
  const auto [rows, cols, diagonal, wrap, causal] = grid_;
  std::vector<Index> rowDistances{-rowStep}; // of the query's row less the key's
  if (wrap && rowStep != 0)
    rowDistances.push_back(rowStep * (rows - 1));
  for (const Index rowDistance : rowDistances) {
    const Index base = rowDistance * cols;
    appendPiece({base - columnStep, std::max<Index>(-columnStep, 0),
                 cols - std::max<Index>(columnStep, 0)});
    if (wrap && columnStep != 0) {
      const Index edge = columnStep > 0 ? cols - 1 : 0;
      appendPiece({base + columnStep * (cols - 1), edge, edge + 1});
    }
  }
}

void GridCells::appendPiece(const Piece& piece) {
  const bool itself = piece.distance == 0;
  const bool future = grid_.causal && piece.distance < 0;
  if (!itself && !future && piece.begin < piece.end)
    pieces_.push_back(piece);
}

// Small tori reach one cell in several ways.
void GridCells::merge() {
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.begin < b.begin;
  });
  std::vector<Piece> merged;
  for (const Piece& piece : pieces_) {
    if (!merged.empty() && merged.back().distance == piece.distance &&
        piece.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, piece.end);
    else
      merged.push_back(piece);
  }
  pieces_ = std::move(merged);
}

bool GridCells::contains(Index i, Index j) const {
  return count({i, i + 1, j, j + 1}) == 1;
}

void GridCells::appendRow(Index i, KeyRanges& ranges) const {
  const Index n = grid_.rows * grid_.cols;
  if (i >= n)
    return;
  const Index column = i % grid_.cols;
  for (const Piece& piece : pieces_) {
    const Index j = i - piece.distance;
    if (0 <= j && j < n && piece.begin <= column && column < piece.end)
      ranges.push_back({j, j + 1, 1, 1});
  }
}

Index GridCells::count(const Rect& rect) const {
  const Index n = grid_.rows * grid_.cols;
  const Rect r = intersection(rect, {0, n, 0, n});
  Index cells = 0;
  for (const Piece& piece : pieces_) {
    const Index begin = std::max(r.rowBegin, r.keyBegin + piece.distance);
    const Index end = std::min(r.rowEnd, r.keyEnd + piece.distance);
    if (begin < end)
      cells += residuesBelow(end, grid_.cols, piece.begin, piece.end) -
               residuesBelow(begin, grid_.cols, piece.begin, piece.end);
  }
  return cells;
}

// A neighbour at distance o exists for the rows o ≤ i < n + o of its columns.
std::optional<Index> GridCells::rowBreaks(std::vector<Index>& breaks) const {
  const Index n = grid_.rows * grid_.cols;
  for (const Index row : {Index{0}, n})
    breaks.push_back(row);
  for (const Piece& piece : pieces_)
    for (const Index row : {piece.distance, n + piece.distance})
      breaks.push_back(row);
  return grid_.cols;
}

std::string GridCells::explain(Index i, Index j) const {
  const auto cell = [&](Index token) {
    return "(" + std::to_string(token / grid_.cols) + ", " + std::to_string(token % grid_.cols) +
           ")";
  };
  if (i >= grid_.rows * grid_.cols)
    return "query " + std::to_string(i) + " lies outside the grid";
  if (grid_.causal && j > i)
    return "key " + std::to_string(j) + " > query " + std::to_string(i);
  return "cells " + cell(i) + " and " + cell(j) + (contains(i, j) ? " are" : " are not") +
         " neighbours";
}

} // namespace attention
