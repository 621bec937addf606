// A set of cells written out as runs of keys, for groups of consecutive rows that share them:
// graphs and given masks (a group per row), BigBird's random blocks (a group per block row).
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attention {

// Keys [begin, end) of every row of a group; with `causal`, of each row i only those with j ≤ i.
struct KeyRun {
  Index begin = 0;
  Index end = 0;
  bool causal = false;
};

class RowTable {
public:
  // Appends a group of the rows from the end of the last group up to `rowEnd`, with its runs:
  // disjoint, sorted, none empty, below kMaxLength.
  void appendGroup(Index rowEnd, const std::vector<KeyRun>& runs);

  // The row after the last group.
  Index rowEnd() const { return rowEnds_.empty() ? 0 : rowEnds_.back(); }

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // Exact, O(log groups + runs of the groups that `rect` meets); whole groups over all keys are
  // taken from prefix sums.
  Index count(const Rect& rect) const;
  // Appends the rows at which a new stretch begins, within which the number of keys is a line, and
  // returns 1; nothing if most rows are groups of their own.
  std::optional<Index> rowBreaks(std::vector<Index>& breaks) const;
  // Adds to counts[b] the cells of rows [rowBegin, rowEnd) with keys in [edges[b], edges[b + 1]):
  // a row of pixels in one pass over the runs. `edges` rise, one more than counts.
  void addStrip(Index rowBegin, Index rowEnd, std::span<const Index> edges,
                std::span<Index> counts) const;

private:
  // 8 bytes per run, since tables hold hundreds of millions.
  struct Run {
    std::uint32_t begin : 32;
    std::uint32_t end : 31;
    std::uint32_t causal : 1;
    KeyRun keys() const { return {begin, end, causal == 1}; }
  };

  std::size_t groupOf(Index row) const;
  std::size_t groups() const { return rowEnds_.size(); }
  Index rowBegin(std::size_t group) const { return group == 0 ? 0 : rowEnds_[group - 1]; }
  std::size_t runBegin(std::size_t group) const { return group == 0 ? 0 : runEnds_[group - 1]; }
  Index countGroup(std::size_t group, const Rect& rect) const;

  std::vector<Index> rowEnds_;
  std::vector<std::size_t> runEnds_;
  std::vector<Index> cellEnds_; // cells of all groups up to and including this one
  std::vector<Run> runs_;
  Index keyEnd_ = 0;
};

// Builds a table in row order: collects (row, key) one by one, with keys ascending within a row,
// and joins neighbours into runs.
class RowTableBuilder {
public:
  // Adds a cell after all earlier ones, in the order of rows, then keys; equal cells count once.
  void add(Index row, Index key);
  std::shared_ptr<const RowTable> build();

private:
  void closeRow();

  RowTable table_;
  Index row_ = 0;
  std::vector<KeyRun> runs_;
};

} // namespace attention
