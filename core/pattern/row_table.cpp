#include "core/pattern/row_table.h"

#include <algorithm>
#include <cassert>
#include <memory>

namespace attention {
namespace {

// The column of pixels that a key falls into. Columns are mostly of similar width, so a straight
// line predicts the column; it is searched only where the prediction fails.
class ColumnFinder {
public:
  // At least two rising edges.
  explicit ColumnFinder(std::span<const Index> edges)
      : edges_(edges), columnsOfKey_(static_cast<double>(edges.size() - 1) /
                                     static_cast<double>(edges.back() - edges.front())) {}

  std::span<const Index> edges() const { return edges_; }

  // The last column that does not begin after `key`, or the first one.
  std::size_t operator()(Index key) const {
    if (key < edges_.front())
      return 0;
    if (key >= edges_.back())
      return edges_.size() - 1;
    const double place = static_cast<double>(key - edges_.front()) * columnsOfKey_;
    const std::size_t guess = std::min(static_cast<std::size_t>(place), edges_.size() - 2);
    if (edges_[guess] <= key && key < edges_[guess + 1])
      return guess;
    const auto after = std::upper_bound(edges_.begin(), edges_.end(), key);
    return static_cast<std::size_t>(after - edges_.begin()) - 1;
  }

private:
  std::span<const Index> edges_;
  double columnsOfKey_;
};

// Adds the keys of a run that `rows` rows share to the columns of pixels that they fall into.
void addRun(const KeyRun& run, Index rows, const ColumnFinder& columns, std::span<Index> counts) {
  const std::span<const Index> edges = columns.edges();
  Index from = std::max(run.begin, edges.front());
  const Index end = std::min(run.end, edges.back());
  for (std::size_t b = columns(from); from < end; ++b) {
    const Index to = std::min(end, edges[b + 1]);
    counts[b] += rows * (to - from);
    from = to;
  }
}

Index countRun(const KeyRun& run, const Rect& rect) {
  const Rect cut = intersection({rect.rowBegin, rect.rowEnd, run.begin, run.end}, rect);
  if (cut.empty())
    return 0;
  return run.causal ? count(band(0, kUnbounded), cut) : cut.cells();
}

} // namespace

void RowTable::appendGroup(Index rowEnd, const std::vector<KeyRun>& runs) {
  const Index begin = rowEnds_.empty() ? 0 : rowEnds_.back();
  Index cells = cellEnds_.empty() ? 0 : cellEnds_.back();
  for (const KeyRun& run : runs) {
    cells += countRun(run, {begin, rowEnd, run.begin, run.end});
    keyEnd_ = std::max(keyEnd_, run.end);
    assert(run.begin >= 0 && run.begin < run.end && run.end <= kMaxLength);
    runs_.push_back({static_cast<std::uint32_t>(run.begin),
                     static_cast<std::uint32_t>(run.end) & 0x7fffffffU, run.causal ? 1U : 0U});
  }
  rowEnds_.push_back(rowEnd);
  runEnds_.push_back(runs_.size());
  cellEnds_.push_back(cells);
}

std::size_t RowTable::groupOf(Index row) const {
  const auto at = std::upper_bound(rowEnds_.begin(), rowEnds_.end(), row);
  return static_cast<std::size_t>(at - rowEnds_.begin());
}

bool RowTable::contains(Index i, Index j) const {
  return count({i, i + 1, j, j + 1}) != 0;
}

void RowTable::appendRow(Index i, KeyRanges& ranges) const {
  const std::size_t group = groupOf(i);
  if (group >= groups())
    return;
  // Without branches, and with room made once: rows of scattered keys are runs of one.
  const std::size_t before = ranges.size();
  ranges.resize(before + runEnds_[group] - runBegin(group));
  KeyRange* to = ranges.data() + before;
  for (std::size_t k = runBegin(group); k < runEnds_[group]; ++k) {
    const KeyRun run = runs_[k].keys();
    const Index end = run.causal ? std::min(run.end, i + 1) : run.end;
    *to = {run.begin, end, 1, 1};
    to += run.begin < end ? 1 : 0;
  }
  ranges.resize(static_cast<std::size_t>(to - ranges.data()));
}

Index RowTable::countGroup(std::size_t group, const Rect& rect) const {
  const Rect rows =
      intersection(rect, {rowBegin(group), rowEnds_[group], rect.keyBegin, rect.keyEnd});
  const auto first = runs_.begin() + static_cast<std::ptrdiff_t>(runBegin(group));
  const auto last = runs_.begin() + static_cast<std::ptrdiff_t>(runEnds_[group]);
  auto run = std::upper_bound(first, last, rect.keyBegin,
                              [](Index key, const Run& r) { return key < Index{r.end}; });
  Index cells = 0;
  for (; run != last && Index{run->begin} < rect.keyEnd; ++run)
    cells += countRun(run->keys(), rows);
  return cells;
}

Index RowTable::count(const Rect& rect) const {
  if (rect.empty() || rowEnds_.empty())
    return 0;
  const std::size_t first = groupOf(rect.rowBegin);
  if (first >= groups())
    return 0;
  const std::size_t last = std::min(groupOf(rect.rowEnd - 1), groups() - 1);
  if (first == last)
    return countGroup(first, rect);
  Index cells = countGroup(first, rect) + countGroup(last, rect);
  if (rect.keyBegin <= 0 && rect.keyEnd >= keyEnd_)
    return cells + cellEnds_[last - 1] - cellEnds_[first];
  for (std::size_t group = first + 1; group < last; ++group)
    cells += countGroup(group, rect);
  return cells;
}

std::optional<Index> RowTable::rowBreaks(std::vector<Index>& breaks) const {
  if (4 * static_cast<Index>(groups()) > rowEnd())
    return std::nullopt;
  breaks.push_back(0);
  for (std::size_t group = 0; group < groups(); ++group) {
    breaks.push_back(rowEnds_[group]);
    for (std::size_t k = runBegin(group); k < runEnds_[group]; ++k)
      if (const KeyRun run = runs_[k].keys(); run.causal)
        for (const Index row : {run.begin, run.end})
          if (row > rowBegin(group) && row < rowEnds_[group])
            breaks.push_back(row);
  }
  return 1;
}

void RowTable::addStrip(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                        std::span<Index> counts) const {
  if (rowBegin >= rowEnd || counts.empty())
    return;
  const std::size_t end = std::min(groupOf(rowEnd - 1) + 1, groups());
  const ColumnFinder columns(edges);
  for (std::size_t group = groupOf(rowBegin); group < end; ++group) {
    const Index begin = std::max(rowBegin, this->rowBegin(group));
    const Index last = std::min(rowEnd, rowEnds_[group]);
    for (std::size_t k = runBegin(group); k < runEnds_[group]; ++k) {
      const KeyRun run = runs_[k].keys();
      if (!run.causal) {
        addRun(run, last - begin, columns, counts);
        continue;
      }
      for (std::size_t b = columns(run.begin); b < counts.size() && edges[b] < run.end; ++b)
        counts[b] += countRun(run, {begin, last, edges[b], edges[b + 1]});
    }
  }
}

void RowTableBuilder::closeRow() {
  if (runs_.empty())
    return;
  if (table_.rowEnd() < row_)
    table_.appendGroup(row_, {});
  table_.appendGroup(row_ + 1, runs_);
  runs_.clear();
}

void RowTableBuilder::add(Index row, Index key) {
  if (row != row_)
    closeRow();
  row_ = row;
  if (!runs_.empty() && key < runs_.back().end)
    return;
  if (!runs_.empty() && key == runs_.back().end)
    ++runs_.back().end;
  else
    runs_.push_back({key, key + 1, false});
}

std::shared_ptr<const RowTable> RowTableBuilder::build() {
  closeRow();
  return std::make_shared<const RowTable>(std::move(table_));
}

} // namespace attention
