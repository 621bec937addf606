// Cells added and removed by hand. A stroke is one shape at one or more places; a later stroke wins
// where strokes meet, so a drawing takes the memory of its strokes, whatever n is.
//
// Places are lists of integers, i the token of a query and j a key:
//   cells      [i, j]
//   rectangle  [i0, i1, j0, j1]       i0 ≤ i < i1 and j0 ≤ j < j1
//   row        [i], or [i, j0, j1]    of all keys, or of those with j0 ≤ j < j1
//   column     [j], or [j, i0, i1]    of all queries, or of those with i0 ≤ i < i1
//   diagonal   [o], or [o, width]     o ≤ i − j < o + width, of width 1; o < 0 is above the main
//   one
// What lies beyond the mask is cut off. A stroke with a period comes again every so many tokens in
// both directions, its queries and keys moved together, which leaves a diagonal where it is: that
// is moved alone. A mirrored one has (j, i) for every (i, j) too.
#pragma once

#include "core/pattern/primitive.h"
#include "core/pattern/value.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attention {

// As JSON spells it: "rectangle".
std::string_view name(Stroke::Shape shape);
// All of them: "cells, rectangle, row, column, diagonal".
std::string shapeNames();
std::optional<Stroke::Shape> shapeNamed(std::string_view name);

// "add key 7, every 16", "remove 3 rectangles, mirrored".
std::string textOf(const Stroke& stroke);

// Removes every cell with j > i, however long the mask is: one diagonal as wide as them all.
Stroke removeFuture();

// E_TYPE and E_RANGE are about `subject` and name the stroke: "strokes[2].at is [4, 2]; …".
void checkStrokes(const std::string& subject, const StrokeList& strokes);

// A part of a stroke: an Area, whose clip may begin before token 0, or a Band, and the number of
// tokens after which it comes again; 0: it does not.
struct StrokePiece {
  std::size_t stroke = 0; // its place in the list
  bool add = true;
  Primitive shape;
  Index period = 0;
};

// Of checked strokes, in their order; cells side by side are one piece. O(places log places).
std::vector<StrokePiece> piecesOf(const StrokeList& strokes);

bool contains(const StrokePiece& piece, Index i, Index j);

// Whether the last piece that holds the cell adds it; nothing where none does.
std::optional<bool> lastAt(std::span<const StrokePiece> pieces, Index i, Index j);

// Which of its copies a piece has in a part of the plane that is not empty: k from `first` to
// `last`, moved by k periods. None where first > last.
struct StrokeCopies {
  Index first = 0;
  Index last = -1;
  Index count() const { return std::max<Index>(last - first + 1, 0); }
};
StrokeCopies copiesOf(const StrokePiece& piece, const Rect& part);
// The k-th of them, cut to it.
Primitive copyOf(const StrokePiece& piece, Index k, const Rect& part);

} // namespace attention
