// The primitives of connectivity masks (S12): five shapes in the plane of queries (rows i) and keys
// (columns j), each cut by a rectangle. Every closed-form pattern is a union of a few of them.
//
// A shape is given by one function, corner(y, x): the number of its cells with 0 ≤ i < y and
// 0 ≤ j < x. Counts in any rectangle follow from its four corners, on the CPU and, modulo 2^32, in
// the shader; pictures take one corner per lattice point.
#pragma once

#include "core/pattern/key_range.h"
#include "core/support/integers.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <string>

namespace attention {

// Rows [rowBegin, rowEnd) × keys [keyBegin, keyEnd).
struct Rect {
  Index rowBegin = 0;
  Index rowEnd = 0;
  Index keyBegin = 0;
  Index keyEnd = 0;

  bool empty() const { return rowBegin >= rowEnd || keyBegin >= keyEnd; }
  Index cells() const { return empty() ? 0 : (rowEnd - rowBegin) * (keyEnd - keyBegin); }
  bool contains(Index i, Index j) const {
    return rowBegin <= i && i < rowEnd && keyBegin <= j && j < keyEnd;
  }
  auto operator<=>(const Rect&) const = default;
};

Rect intersection(const Rect& a, const Rect& b);

// Beyond every token: the far edge of unbounded shapes and rectangles.
constexpr Index kUnbounded = 4 * kMaxLength;
constexpr Rect kEverywhere{0, kUnbounded, 0, kUnbounded};

enum class Shape {
  Area,         // every cell
  Band,         // lo ≤ i − j ≤ hi and (i − j) mod period = 0
  Columns,      // lo ≤ j mod period < hi
  Blocks,       // lo ≤ ⌊j / period⌋ − ⌊i / period⌋ ≤ hi
  BlockColumns, // ⌊j / period⌋ = ⌊i / period⌋ and lo ≤ j mod period < hi
};

// One shape with its numbers, cut by `clip`; `causal` (not for Area and Band, where lo expresses
// it) keeps only j ≤ i.
struct Primitive {
  Shape shape = Shape::Area;
  Index period = 1;
  Index lo = 0;
  Index hi = 0;
  bool causal = false;
  Rect clip = kEverywhere;

  auto operator<=>(const Primitive&) const = default;
};

// Numbers beyond kUnbounded are clamped to it, which changes no cell.
Primitive area(const Rect& clip);
// Cells with lo ≤ i − j ≤ hi, (i − j) mod step = 0.
Primitive band(Index lo, Index hi, Index step = 1, const Rect& clip = kEverywhere);
Primitive columnComb(Index period, Index lo, Index hi, bool causal, const Rect& clip = kEverywhere);
Primitive blocks(Index size, Index lo, Index hi, bool causal, const Rect& clip = kEverywhere);
Primitive blockColumns(Index size, Index lo, Index hi, bool causal, const Rect& clip = kEverywhere);

bool contains(const Primitive& primitive, Index i, Index j);

// Cells of the uncut shape with 0 ≤ i < y, 0 ≤ j < x; y, x ≥ 0. O(1).
Index corner(const Primitive& primitive, Index y, Index x);

// Cells in `rect`. O(1).
Index count(const Primitive& primitive, const Rect& rect);

// Appends the keys of query i: at most three ranges.
void appendRow(const Primitive& primitive, Index i, KeyRanges& ranges);

// A range [begin, end) that holds all keys of rows [rowBegin, rowEnd): a picture can skip the rest.
// May be wider than needed.
KeyRange keySpan(const Primitive& primitive, Index rowBegin, Index rowEnd);

// a ∩ b as one primitive (with an empty clip where nothing is left), or nothing if the
// intersection is not a primitive.
std::optional<Primitive> intersection(const Primitive& a, const Primitive& b);

// The cells of `primitive` with j ≤ i.
Primitive causalPart(const Primitive& primitive);

// The rule with the numbers of (i, j) substituted: "(67 − 37) mod 10 = 0", or why it fails: "67 −
// 37 = 30 > 10".
std::string explain(const Primitive& primitive, Index i, Index j);

// ---- the columns of a comb, as corners and rows of pixels count them ----

// Number of j < x with lo ≤ j mod period < hi (S12, N).
inline Index columnsBelow(const Primitive& p, Index x) {
  const Index width = p.hi - p.lo;
  return x / p.period * width + std::clamp<Index>(x % p.period - p.lo, 0, width);
}

} // namespace attention
