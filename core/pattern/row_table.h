// A set of cells written out as runs of keys, for groups of consecutive rows that share them:
// graphs and given masks (a group a row), documents (a group a document), BigBird's random blocks
// (a group a block row).
#pragma once

#include "core/pattern/key_range.h"
#include "core/pattern/primitive.h"

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
  // Appends the group of the rows from the end of the last group up to `rowEnd`, with its runs:
  // disjoint, sorted, none empty.
  void appendGroup(Index rowEnd, const std::vector<KeyRun>& runs);

  bool contains(Index i, Index j) const;
  void appendRow(Index i, KeyRanges& ranges) const;
  // Exact, O(log groups + runs of the groups that `rect` meets); whole groups over all keys are
  // taken from prefix sums.
  Index count(const Rect& rect) const;

private:
  std::size_t groupOf(Index row) const;
  std::size_t groups() const { return rowEnds_.size(); }
  Index rowBegin(std::size_t group) const { return group == 0 ? 0 : rowEnds_[group - 1]; }
  Index countGroup(std::size_t group, const Rect& rect) const;

  std::vector<Index> rowEnds_;
  std::vector<std::size_t> runEnds_;
  std::vector<Index> cellEnds_; // cells of all groups up to and with this one
  std::vector<KeyRun> runs_;
  Index keyEnd_ = 0;
};

} // namespace attention
