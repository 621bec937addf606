// Which queries are computed together, and over which keys. Rows of one block are `step` tokens
// apart: 1 for neighbours, which share windows and blocks; the period of a comb for rows of one
// residue class, which share that comb (strided attention's A²); or neighbours in an order that
// brings those together that share keys (clusters, buckets). A block is halved while its rows
// share too little, down to single rows.
#pragma once

#include "core/attention/key_line.h"
#include "core/pattern/prepared.h"

#include <span>
#include <vector>

namespace attention {

// Queries first, first + step, …: `count` of them; of an `order` of the queries where there is one.
struct BlockRows {
  Index first = 0;
  Index step = 1;
  Index count = 0;
  std::span<const Index> order = {};

  Index query(Index r) const {
    const Index at = first + r * step;
    return order.empty() ? at : order[static_cast<std::size_t>(at)];
  }
};

// Rows [rowBegin, rowEnd) of a block over one line of keys; row r (counted from rowBegin) sees the
// intervals [ends[r − 1], ends[r]) of `intervals`, sorted and disjoint.
struct Tile {
  Index rowBegin = 0;
  Index rowEnd = 0;
  KeyLine line;
  std::vector<Interval> intervals;
  std::vector<std::size_t> ends;

  std::span<const Interval> row(Index r) const {
    const auto k = static_cast<std::size_t>(r);
    const std::size_t begin = k == 0 ? 0 : ends[k - 1];
    return {intervals.data() + begin, ends[k] - begin};
  }
};

// The keys of the rows of a block, one list for all.
struct BlockKeys {
  KeyRanges ranges;
  std::vector<std::size_t> ends; // one a row

  void clear();
  void appendRow(const KeyRanges& row);
  Index rows() const { return static_cast<Index>(ends.size()); }
  std::span<const KeyRange> row(Index r) const;
};

// The periods of combs that the rows of a block of neighbours share so little of that they are
// better computed by residue classes. Rising.
std::vector<Index> scatteredPeriods(const BlockKeys& keys);

// Cuts a block into tiles; every (row, key) is in exactly one of them. Rows without keys may be in
// none.
std::vector<Tile> planTiles(const BlockKeys& keys);

} // namespace attention
