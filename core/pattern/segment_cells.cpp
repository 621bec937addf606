#include "core/pattern/segment_cells.h"

#include <algorithm>
#include <cassert>

namespace attention {

bool SegmentGrid::contains(Index i, Index j) const {
  return i / segment == j / segment && holds(i) && holds(j) && (!causal || j <= i);
}

// Whole segments, and what the two edges leave of the next one.
Index SegmentGrid::corner(Index y, Index x) const {
  assert(origin == segment);
  const auto taken = [&](Index positions) {
    return positions > shift ? (positions - 1 - shift) / dilation + 1 : 0;
  };
  const auto pairs = [&](Index rows, Index keys) {
    if (!causal)
      return rows * keys;
    return rows <= keys ? triangle(rows) : triangle(keys) + (rows - keys) * keys;
  };
  const Index above = y / segment;
  const Index before = x / segment;
  const Index whole = taken(segment);
  const Index rows = above > before ? whole : taken(y % segment);
  const Index keys = before > above ? whole : taken(x % segment);
  return std::min(above, before) * pairs(whole, whole) + pairs(rows, keys);
}

Index SegmentGrid::count(const Rect& rect) const {
  if (rect.empty())
    return 0;
  return corner(rect.rowEnd, rect.keyEnd) - corner(rect.rowBegin, rect.keyEnd) -
         corner(rect.rowEnd, rect.keyBegin) + corner(rect.rowBegin, rect.keyBegin);
}

bool SegmentCells::contains(Index i, Index j) const {
  return all_.contains(i, j) && !(within_ && within_->contains(i, j));
}

void SegmentCells::appendRow(Index i, KeyRanges& ranges) const {
  if (!all_.holds(i))
    return;
  const Index r = all_.dilation;
  const auto append = [&](Index begin, Index end) { // those of i's residue
    const Index first = begin + floorMod(i - begin, r);
    if (first < end)
      ranges.push_back({first, first + (end - first - 1) / r * r + 1, r, 1});
  };
  const Index begin = i / all_.segment * all_.segment;
  const Index end = std::min({begin + all_.segment, keys_, all_.causal ? i + 1 : keys_});
  if (!within_)
    return append(begin, end);
  const Index inner = i / within_->segment * within_->segment;
  append(begin, std::min(inner, end));
  append(inner + within_->segment, end);
}

Index SegmentCells::count(const Rect& rect) const {
  return all_.count(rect) - (within_ ? within_->count(rect) : 0);
}

// Segments have equal rows, except the last one, which may be short.
std::optional<Index> SegmentCells::rowBreaks(std::vector<Index>& breaks) const {
  for (const Index w : {all_.segment, within_ ? within_->segment : all_.segment}) {
    const Index last = keys_ / w * w;
    breaks.insert(breaks.end(), {last, keys_, last + w});
  }
  return all_.segment;
}

} // namespace attention
