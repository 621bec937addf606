#include "core/pattern/primitive.h"

#include <algorithm>
#include <cassert>

namespace attention {
namespace {

// Σ over d ≡ 0 (mod step), first ≤ d ≤ last, d ≥ 0, of the cells i − j = d with i < y, j < x: a
// diagonal has x of them while d ≤ y − x, then y − d.
Index diagonals(Index y, Index x, Index first, Index last, Index step) {
  const Index from = ceilDiv(std::max<Index>(first, 0), step);
  const Index to = floorDiv(std::min(last, y - 1), step);
  if (from > to || x <= 0)
    return 0;
  const Index flatEnd = std::min(to, floorDiv(y - x, step));
  const Index flat = std::max<Index>(flatEnd - from + 1, 0);
  const Index fallFrom = std::max(from, flatEnd + 1);
  const Index fall = std::max<Index>(to - fallFrom + 1, 0);
  return flat * x + fall * y - step * ((fallFrom + to) * fall / 2);
}

Index bandCorner(const Primitive& p, Index y, Index x) {
  // The diagonals above the main one are those below it of the transpose.
  return diagonals(y, x, p.lo, p.hi, p.period) +
         diagonals(x, y, std::max<Index>(-p.hi, 1), -p.lo, p.period);
}

// Sum of those j (S12, S).
Index columnSum(const Primitive& p, Index x) {
  const Index w = p.hi - p.lo;
  const Index q = x / p.period;
  const Index k = std::clamp<Index>(x % p.period - p.lo, 0, w);
  const Index rest = k * q * p.period + k * p.lo + k * (k - 1) / 2;
  if (q == 0) // the period may be as long as kUnbounded: its square exceeds 64 bits
    return rest;
  return p.period * w * (q * (q - 1) / 2) + q * (w * p.lo + w * (w - 1) / 2) + rest;
}

Index columnsCorner(const Primitive& p, Index y, Index x) {
  if (!p.causal)
    return y * columnsBelow(p, x);
  const Index m = std::min(y, x); // column j holds the rows j … y − 1
  return columnsBelow(p, m) * y - columnSum(p, m);
}

// Σ_{0 ≤ C < blocks} min(C · size, x): the left edges of `blocks` block columns, cut to x.
Index edgeSum(Index blocks, Index size, Index x) {
  if (blocks <= 0)
    return 0;
  const Index whole = std::min(blocks - 1, x / size);
  return size * triangle(whole) + x * (blocks - 1 - whole);
}

// Block rows R see the keys of blocks R + lo … R + hi: the edges R + hi + 1 less the edges R + lo.
Index blockRangeCorner(Index size, Index lo, Index hi, Index y, Index x) {
  if (lo > hi)
    return 0;
  const auto edge = [&](Index block) {
    return block <= 0 ? 0 : block >= x / size + 1 ? x : block * size;
  };
  const Index whole = y / size;
  const Index inner = edgeSum(whole + hi + 1, size, x) - edgeSum(hi + 1, size, x) -
                      edgeSum(whole + lo, size, x) + edgeSum(lo, size, x);
  return size * inner + y % size * (edge(whole + hi + 1) - edge(whole + lo));
}

// Cells c ≤ a of a block, lo ≤ c < hi, within its first `rows` rows and `keys` keys.
Index cutTriangle(Index rows, Index keys, Index lo, Index hi) {
  const Index end = std::min({rows, keys, hi});
  if (end <= lo)
    return 0;
  return (end - lo) * rows - (triangle(end - 1) - triangle(lo - 1));
}

// Blocks on the diagonal: the keys lo ≤ j mod size < hi of one's own block.
Index diagonalBlocksCorner(const Primitive& p, Index lo, Index hi, Index y, Index x) {
  const Index size = p.period;
  const Index whole = std::min(y, x) / size;
  const Index rows = std::min(y - whole * size, size);
  const Index keys = std::min(x - whole * size, size);
  if (p.causal) {
    // A block longer than the mask fits nowhere whole, and its triangle would overflow.
    const Index inner = whole > 0 ? whole * cutTriangle(size, size, lo, hi) : 0;
    return inner + cutTriangle(rows, keys, lo, hi);
  }
  return whole * size * (hi - lo) + rows * std::clamp<Index>(keys - lo, 0, hi - lo);
}

Index blocksCorner(const Primitive& p, Index y, Index x) {
  if (!p.causal)
    return blockRangeCorner(p.period, p.lo, p.hi, y, x);
  const Index before = blockRangeCorner(p.period, p.lo, std::min<Index>(p.hi, -1), y, x);
  const bool own = p.lo <= 0 && p.hi >= 0;
  return before + (own ? diagonalBlocksCorner(p, 0, p.period, y, x) : 0);
}

Rect keysOnly(Index begin, Index end) {
  return {0, kUnbounded, begin, end};
}

} // namespace

Rect intersection(const Rect& a, const Rect& b) {
  return {std::max(a.rowBegin, b.rowBegin), std::min(a.rowEnd, b.rowEnd),
          std::max(a.keyBegin, b.keyBegin), std::min(a.keyEnd, b.keyEnd)};
}

Primitive area(const Rect& clip) {
  return {Shape::Area, 1, 0, 0, false, clip};
}

Primitive band(Index lo, Index hi, Index step, const Rect& clip) {
  return {Shape::Band,
          std::min(step, kUnbounded),
          std::clamp(lo, -kUnbounded, kUnbounded),
          std::clamp(hi, -kUnbounded, kUnbounded),
          false,
          clip};
}

Primitive columnComb(Index period, Index lo, Index hi, bool causal, const Rect& clip) {
  return {Shape::Columns,
          std::min(period, kUnbounded),
          std::min(lo, kUnbounded),
          std::min(hi, kUnbounded),
          causal,
          clip};
}

Primitive blocks(Index size, Index lo, Index hi, bool causal, const Rect& clip) {
  const Index period = std::min(size, kUnbounded);
  const Index most = kUnbounded / period + 1; // blocks beyond hold no token
  return {Shape::Blocks, period, std::clamp(lo, -most, most), std::clamp(hi, -most, most),
          causal,        clip};
}

Primitive blockColumns(Index size, Index lo, Index hi, bool causal, const Rect& clip) {
  return {Shape::BlockColumns,
          std::min(size, kUnbounded),
          std::min(lo, kUnbounded),
          std::min(hi, kUnbounded),
          causal,
          clip};
}

bool contains(const Primitive& p, Index i, Index j) {
  if (!p.clip.contains(i, j) || (p.causal && j > i))
    return false;
  const Index residue = j % p.period;
  const Index offset = j / p.period - i / p.period;
  switch (p.shape) {
  case Shape::Area:
    return true;
  case Shape::Band:
    return p.lo <= i - j && i - j <= p.hi && (i - j) % p.period == 0;
  case Shape::Columns:
    return p.lo <= residue && residue < p.hi;
  case Shape::Blocks:
    return p.lo <= offset && offset <= p.hi;
  case Shape::BlockColumns:
    return offset == 0 && p.lo <= residue && residue < p.hi;
  }
  return false;
}

Index corner(const Primitive& p, Index y, Index x) {
  assert(y >= 0 && x >= 0);
  switch (p.shape) {
  case Shape::Area:
    return y * x;
  case Shape::Band:
    return bandCorner(p, y, x);
  case Shape::Columns:
    return columnsCorner(p, y, x);
  case Shape::Blocks:
    return blocksCorner(p, y, x);
  case Shape::BlockColumns:
    return diagonalBlocksCorner(p, p.lo, p.hi, y, x);
  }
  return 0;
}

Index count(const Primitive& p, const Rect& rect) {
  const Rect r = intersection(p.clip, rect);
  if (r.empty())
    return 0;
  return corner(p, r.rowEnd, r.keyEnd) - corner(p, r.rowBegin, r.keyEnd) -
         corner(p, r.rowEnd, r.keyBegin) + corner(p, r.rowBegin, r.keyBegin);
}

void appendRow(const Primitive& p, Index i, KeyRanges& ranges) {
  if (i < p.clip.rowBegin || i >= p.clip.rowEnd)
    return;
  const Index begin = p.clip.keyBegin;
  const Index end = p.causal ? std::min(p.clip.keyEnd, i + 1) : p.clip.keyEnd;
  switch (p.shape) {
  case Shape::Area:
    return appendCut({begin, end, 1, 1}, begin, end, ranges);
  case Shape::Band: {
    const Index first = std::max<Index>(i - p.hi, 0);
    // The first key ≡ i (mod period), without a division for the many bands of period 1.
    const Index aligned = p.period == 1 ? first : first + floorMod(i - first, p.period);
    return appendCut({aligned, i - p.lo + 1, p.period, 1}, begin, end, ranges);
  }
  case Shape::Columns:
    return appendCut({p.lo, end, p.period, p.hi - p.lo}, begin, end, ranges);
  case Shape::Blocks: {
    const Index block = i / p.period;
    const Index first = std::max<Index>(block + p.lo, 0) * p.period;
    return appendCut({first, (block + p.hi + 1) * p.period, 1, 1}, begin, end, ranges);
  }
  case Shape::BlockColumns: {
    const Index first = i / p.period * p.period;
    return appendCut({first + p.lo, first + p.hi, 1, 1}, begin, end, ranges);
  }
  }
}

KeyRange keySpan(const Primitive& p, Index rowBegin, Index rowEnd) {
  const Index first = std::max(rowBegin, p.clip.rowBegin);
  const Index last = std::min(rowEnd, p.clip.rowEnd) - 1;
  if (first > last)
    return {};
  Rect span = p.clip;
  if (p.shape == Shape::Band)
    span = intersection(span, keysOnly(first - p.hi, last - p.lo + 1));
  if (p.shape == Shape::Blocks)
    span = intersection(span, keysOnly((first / p.period + p.lo) * p.period,
                                       (last / p.period + p.hi + 1) * p.period));
  if (p.shape == Shape::BlockColumns)
    span =
        intersection(span, keysOnly(first / p.period * p.period, (last / p.period + 1) * p.period));
  if (p.causal)
    span = intersection(span, keysOnly(0, last + 1));
  return span.empty() ? KeyRange{} : KeyRange{span.keyBegin, span.keyEnd, 1, 1};
}

} // namespace attention
