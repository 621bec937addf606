// A key line: the keys that the rows of a block share, laid out one after another on positions 0,
// 1, …, so that combs and scattered keys become dense. Ranges are contiguous or combs, disjoint, in
// the order in which they were appended. A row's keys are a few intervals of positions.
#pragma once

#include "core/pattern/key_range.h"

#include <cstddef>
#include <vector>

namespace attention {

// Positions begin ≤ t < end of a line.
struct Interval {
  Index begin = 0;
  Index end = 0;
};

class KeyLine {
public:
  void clear();
  void append(const KeyRange& range);

  Index size() const { return starts_.back(); }
  std::size_t ranges() const { return ranges_.size(); }
  const KeyRange& range(std::size_t r) const { return ranges_[r]; }

  // Positions of the keys of `part`, which must lie in range r and have its period and residue.
  // O(1).
  Interval positions(std::size_t r, const KeyRange& part) const;

  // The key at a position and how many keys follow it without a gap, including itself.
  struct Run {
    Index key = 0;
    Index left = 0;
  };
  Run runAt(Index position) const;

  // The key at a position and how many follow it in equal steps, including itself: a run, or the
  // rest of a comb of width 1.
  struct Row {
    Index key = 0;
    Index left = 0;
    Index step = 1;
  };
  Row rowAt(Index position) const;

  // Calls visit(key, position, length) for every run of keys within [begin, end).
  template <class Visit>
  void forEachRun(Index begin, Index end, Visit visit) const {
    for (Index t = begin; t < end;) {
      const Run run = runAt(t);
      const Index length = run.left < end - t ? run.left : end - t;
      visit(run.key, t, length);
      t += length;
    }
  }

private:
  std::size_t rangeAt(Index position) const;

  std::vector<KeyRange> ranges_;
  std::vector<Index> starts_{0}; // of every range, and the size
};

} // namespace attention
