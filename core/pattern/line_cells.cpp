#include "core/pattern/line_cells.h"

#include <algorithm>

namespace attention {
namespace {

// More breaks than this do not help: rows are then examined one by one.
constexpr std::size_t kMostBreaks = std::size_t{1} << 20;

} // namespace

void ColumnLines::appendRow(Index i, KeyRanges& ranges) const {
  for (const Index v : columns_.within(0, i + 1))
    ranges.push_back({v, v + 1, 1, 1});
}

Index ColumnLines::count(const Rect& rect) const {
  if (rect.empty())
    return 0;
  // Columns up to the first row are whole; later ones begin on the diagonal.
  const Index whole = columns_.count(rect.keyBegin, std::min(rect.keyEnd, rect.rowBegin + 1));
  const Index begin = std::max(rect.keyBegin, rect.rowBegin + 1);
  const Index end = std::min(rect.keyEnd, rect.rowEnd);
  return whole * (rect.rowEnd - rect.rowBegin) + columns_.count(begin, end) * rect.rowEnd -
         columns_.sum(begin, end);
}

std::optional<Index> ColumnLines::rowBreaks(std::vector<Index>& breaks) const {
  for (const Index v : columns_.within(0, kUnbounded))
    breaks.push_back(v);
  return 1;
}

void DiagonalLines::appendRow(Index i, KeyRanges& ranges) const {
  for (const Index o : offsets_.within(std::max<Index>(i - keys_ + 1, 0), i + 1))
    if (!columns_.contains(i - o))
      ranges.push_back({i - o, i - o + 1, 1, 1});
}

// Σ over the diagonals o ≤ t of (t − o): their cells with i < y and j ≥ x for t = y − x.
Index DiagonalLines::cellsTo(Index t) const {
  return t > 0 ? offsets_.count(0, t) * t - offsets_.sum(0, t) : 0;
}

// Cells that lie on both a diagonal and a column.
Index DiagonalLines::crossings(const Rect& r) const {
  const auto columns = columns_.within(r.keyBegin, r.keyEnd);
  const auto offsets =
      offsets_.within(std::max<Index>(r.rowBegin - r.keyEnd + 1, 0), r.rowEnd - r.keyBegin);
  Index cells = 0;
  if (columns.size() <= offsets.size()) {
    for (const Index v : columns)
      cells += offsets_.count(std::max<Index>(r.rowBegin - v, 0), r.rowEnd - v);
    return cells;
  }
  for (const Index o : offsets)
    cells += columns_.count(std::max(r.keyBegin, r.rowBegin - o), std::min(r.keyEnd, r.rowEnd - o));
  return cells;
}

Index DiagonalLines::count(const Rect& r) const {
  if (r.empty())
    return 0;
  return cellsTo(r.rowEnd - r.keyBegin) - cellsTo(r.rowBegin - r.keyBegin) -
         cellsTo(r.rowEnd - r.keyEnd) + cellsTo(r.rowBegin - r.keyEnd) - crossings(r);
}

// A diagonal begins at its offset, ends keys_ rows later, and misses the rows where it meets a
// column.
std::optional<Index> DiagonalLines::rowBreaks(std::vector<Index>& breaks) const {
  if (offsets_.size() * (columns_.size() + 1) > kMostBreaks)
    return std::nullopt;
  for (const Index o : offsets_.within(0, kUnbounded)) {
    breaks.insert(breaks.end(), {o, o + keys_});
    for (const Index v : columns_.within(0, kUnbounded))
      breaks.insert(breaks.end(), {v + o, v + o + 1});
  }
  return 1;
}

GlobalLines::GlobalLines(SortedIndices globals, const Primitive& window, bool causal, Index keys)
    : globals_(std::move(globals)), window_(window), causal_(causal), keys_(keys) {
  for (const Index g : globals_.within(0, keys))
    byResidue_.emplace_back(g % window.period, g);
  std::sort(byResidue_.begin(), byResidue_.end());
}

bool GlobalLines::contains(Index i, Index j) const {
  if ((causal_ && j > i) || attention::contains(window_, i, j))
    return false;
  return globals_.contains(i) || globals_.contains(j);
}

void GlobalLines::appendRow(Index i, KeyRanges& ranges) const {
  const Index end = causal_ ? std::min(keys_, i + 1) : keys_;
  if (!globals_.contains(i)) {
    for (const Index g : globals_.within(0, end))
      if (!attention::contains(window_, i, g))
        ranges.push_back({g, g + 1, 1, 1});
    return;
  }
  KeyRanges held;
  attention::appendRow(window_, i, held);
  normalise(held);
  Index from = 0;
  for (const KeyRange& range : held)
    forEachRun(range, [&](Index runBegin, Index runEnd) {
      if (from < std::min(runBegin, end))
        ranges.push_back({from, std::min(runBegin, end), 1, 1});
      from = std::max(from, runEnd);
    });
  if (from < end)
    ranges.push_back({from, end, 1, 1});
}

Index GlobalLines::globalKeys(Index i, Index j0, Index j1) const {
  const Index end = causal_ ? std::min(j1, i + 1) : j1;
  const Index residue = i % window_.period;
  const auto below = [&](Index x) {
    return std::lower_bound(byResidue_.begin(), byResidue_.end(), IndexPair(residue, x));
  };
  const Index first = std::max(j0, i - window_.hi);
  const Index last = std::min(end, i - window_.lo + 1);
  const Index inWindow = first < last ? below(last) - below(first) : 0;
  return globals_.count(j0, end) - inWindow;
}

Index GlobalLines::lineCells(const Rect& line) const {
  const Primitive all = causal_ ? band(0, kUnbounded) : area(kEverywhere);
  return attention::count(all, line) - attention::count(window_, line);
}

Index GlobalLines::count(const Rect& rect) const {
  if (rect.empty())
    return 0;
  Index cells = 0;
  if (rect.rowEnd - rect.rowBegin < globals_.count(rect.keyBegin, rect.keyEnd)) {
    for (Index i = rect.rowBegin; i < rect.rowEnd; ++i)
      cells += globals_.contains(i) ? lineCells({i, i + 1, rect.keyBegin, rect.keyEnd})
                                    : globalKeys(i, rect.keyBegin, rect.keyEnd);
    return cells;
  }
  for (const Index g : globals_.within(rect.rowBegin, rect.rowEnd)) {
    cells += lineCells({g, g + 1, rect.keyBegin, rect.keyEnd});
    cells -= globalKeys(g, rect.keyBegin, rect.keyEnd); // these lie in a row and in a column
  }
  for (const Index g : globals_.within(rect.keyBegin, rect.keyEnd))
    cells += lineCells({rect.rowBegin, rect.rowEnd, g, g + 1});
  return cells;
}

// A global row is a separate stretch; a global key enters and leaves the window of the others.
std::optional<Index> GlobalLines::rowBreaks(std::vector<Index>& breaks) const {
  breaks.push_back(keys_);
  for (const Index g : globals_.within(0, kUnbounded))
    breaks.insert(breaks.end(), {g, g + 1, g + window_.lo, g + window_.hi + 1});
  return std::max<Index>(window_.period, 1);
}

} // namespace attention
