#include "core/pattern/term_strips.h"

#include "core/pattern/primitive.h"

#include <algorithm>
#include <cassert>

namespace attention {
namespace {

std::uint32_t narrow(Index value) {
  assert(value >= 0 && value < kUnbounded);
  return static_cast<std::uint32_t>(value);
}

bool isComb(Shape shape) {
  return shape == Shape::Columns || shape == Shape::BlockColumns;
}

// The keys that each of the rows [y0, y1) attends to, but for those that the shape's period leaves
// out; the clip aside.
KeyRange wholeKeys(const Primitive& p, Index y0, Index y1) {
  KeyRange keys{0, kUnbounded, 1, 1};
  const Index firstBlock = y0 / p.period;
  const Index lastBlock = (y1 - 1) / p.period;
  switch (p.shape) {
  case Shape::Band:
    return {y1 - 1 - p.hi, y0 - p.lo + 1, 1, 1};
  case Shape::Blocks:
    keys = {(lastBlock + p.lo) * p.period, (firstBlock + p.hi + 1) * p.period, 1, 1};
    break;
  case Shape::BlockColumns:
    keys = {lastBlock * p.period, (firstBlock + 1) * p.period, 1, 1};
    break;
  case Shape::Area:
  case Shape::Columns:
    break;
  }
  if (p.causal)
    keys.end = std::min(keys.end, y0 + 1);
  return keys;
}

} // namespace

TermStrips::TermStrips(const Term& term, std::span<const Index> edges, Index keys)
    : primitive_(term.primitive), sign_(term.sign), edges_(edges) {
  primitive_.clip.keyEnd = std::min(primitive_.clip.keyEnd, keys);
  if (primitive_.shape == Shape::Band && primitive_.period > 1) {
    for (const Index edge : edges_) {
      quotients_.push_back(narrow(edge / primitive_.period));
      remainders_.push_back(narrow(edge % primitive_.period));
    }
    return;
  }
  const auto below = [&](Index x) {
    return isComb(primitive_.shape) ? columnsBelow(primitive_, x) : x;
  };
  for (std::size_t b = 0; b + 1 < edges_.size(); ++b)
    cellsOfRow_.push_back(narrow(below(edges_[b + 1]) - below(edges_[b])));
}

void TermStrips::add(Index top, Index bottom, std::span<Index> counts) const {
  const Rect& clip = primitive_.clip;
  const Index y0 = std::max(top, clip.rowBegin);
  const Index y1 = std::min(bottom, clip.rowEnd);
  const KeyRange span = keySpan(primitive_, y0, y1);
  if (y0 >= y1 || span.begin >= span.end)
    return;
  const Columns met = meeting(span);
  KeyRange inside = wholeKeys(primitive_, y0, y1);
  inside.begin = std::max(inside.begin, clip.keyBegin);
  inside.end = std::min(inside.end, clip.keyEnd);
  Columns whole = within(inside);
  whole.first = std::clamp(whole.first, met.first, met.last);
  whole.last = std::clamp(whole.last, whole.first, met.last);
  addCorners(y0, y1, {met.first, whole.first}, counts);
  if (quotients_.empty())
    addWhole(y0, y1, whole, counts);
  else
    addDiagonals(y0, y1, whole, counts);
  addCorners(y0, y1, {whole.last, met.last}, counts);
}

// The columns that hold one of the keys.
TermStrips::Columns TermStrips::meeting(const KeyRange& keys) const {
  const auto first = std::upper_bound(edges_.begin(), edges_.end(), keys.begin) - edges_.begin();
  const auto last = std::lower_bound(edges_.begin(), edges_.end(), keys.end) - edges_.begin();
  const auto columns = static_cast<Index>(edges_.size()) - 1;
  return {static_cast<std::size_t>(std::max<Index>(first - 1, 0)),
          static_cast<std::size_t>(std::min<Index>(last, columns))};
}

// The columns that hold no other keys.
TermStrips::Columns TermStrips::within(const KeyRange& keys) const {
  const auto first = std::lower_bound(edges_.begin(), edges_.end(), keys.begin) - edges_.begin();
  const auto last = std::upper_bound(edges_.begin(), edges_.end(), keys.end) - edges_.begin() - 1;
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(std::max(first, last))};
}

void TermStrips::addCorners(Index y0, Index y1, Columns columns, std::span<Index> counts) const {
  const auto below = [&](std::size_t b) {
    const Rect& clip = primitive_.clip;
    const Index x = std::clamp(edges_[b], clip.keyBegin, clip.keyEnd);
    return corner(primitive_, y1, x) - corner(primitive_, y0, x);
  };
  Index left = columns.first < columns.last ? below(columns.first) : 0;
  for (std::size_t b = columns.first; b < columns.last; ++b) {
    const Index right = below(b + 1);
    counts[b] += sign_ * (right - left);
    left = right;
  }
}

void TermStrips::addWhole(Index y0, Index y1, Columns columns, std::span<Index> counts) const {
  const std::uint64_t rows = narrow(y1 - y0);
  Index* const to = counts.data();
  const std::uint32_t* const cells = cellsOfRow_.data();
  if (sign_ > 0)
    for (std::size_t b = columns.first; b < columns.last; ++b)
      to[b] += static_cast<Index>(rows * cells[b]);
  else
    for (std::size_t b = columns.first; b < columns.last; ++b)
      to[b] -= static_cast<Index>(rows * cells[b]);
}

// Pairs i < y, j < x with i ≡ j (mod s), for y = s·Y + r and x = s·X + t: every j meets Y rows in
// whole periods, and those of residue below r one more: Y·x + r·X + min(r, t).
void TermStrips::addDiagonals(Index y0, Index y1, Columns columns, std::span<Index> counts) const {
  const Index s = primitive_.period;
  const Index periods = y1 / s - y0 / s;
  const Index r0 = y0 % s;
  const Index r1 = y1 % s;
  const auto below = [&](std::size_t b) {
    const Index t = remainders_[b];
    return periods * edges_[b] + (r1 - r0) * static_cast<Index>(quotients_[b]) + std::min(r1, t) -
           std::min(r0, t);
  };
  Index left = below(columns.first);
  for (std::size_t b = columns.first; b < columns.last; ++b) {
    const Index right = below(b + 1);
    counts[b] += sign_ * (right - left);
    left = right;
  }
}

} // namespace attention
