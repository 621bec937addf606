// Which queries are computed together, and over which keys. Rows of one block are `step` tokens
// apart: 1 for neighbours, which share windows and blocks; the period of a comb for rows of one
// residue class, which share that comb (strided attention's A²); or neighbours in an order that
// brings together queries that share keys (clusters, buckets).
//
// The keys of a block lie on one line (key_line.h), cut into segments of keys that the same rows
// see. Where the rows of a strip (as many as fill a vector) share enough of a stretch of keys, the
// strip computes it whole and hides the rest by the segments' bits; keys that few rows share are
// left to these rows individually.
#pragma once

#include "core/attention/key_line.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attention {

// The most rows of a block: one bit each.
constexpr Index kBlockRows = 64;

// Queries first, first + step, …: `count` of them; counted in `order` where there is one.
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

// The keys of the rows of a block, in one list.
struct BlockKeys {
  KeyRanges ranges;
  std::vector<std::size_t> ends; // one per row

  void clear();
  void appendRow(std::span<const KeyRange> row);
  // Drops the combs of these periods, given in ascending order.
  void removeCombs(std::span<const Index> periods);
  Index rows() const { return static_cast<Index>(ends.size()); }
  std::span<const KeyRange> row(Index r) const;
};

// The keys of rows that share next to nothing, one by one: 4 bytes each.
struct ScatteredKeys {
  std::vector<std::int32_t> keys;
  std::vector<std::size_t> ends; // one per row

  void clear();
  void appendRow(std::span<const KeyRange> row);
};

// The periods of combs of which the rows of a block of neighbours share so little that they are
// better computed by residue classes. Ascending.
std::vector<Index> scatteredPeriods(const BlockKeys& keys);

// Whether rows see so few and such scattered keys that planning what they share costs more than it
// saves.
bool isThin(const BlockKeys& keys);

// The distance between the rows of a strip that are examined for shared keys.
constexpr Index kLookedApart = 5;

// Whether a row has so many short runs that it is worth calling isScattered().
bool hasShortRuns(std::span<const KeyRange> row);

// Whether rows share so few keys that a plan would leave nearly all to single rows: compares the
// rows 0, step, 2 step, … with those `apart` later. O(their ranges).
bool isScattered(const BlockKeys& keys, Index step, Index apart);

// Positions begin ≤ t < end of a line, and the rows that see them: bit r for row r of the block.
struct KeySegment {
  Index begin = 0;
  Index end = 0;
  std::uint64_t rows = 0;
};

// Holds every (row, key) of a block once: in a shared segment or among the row's lone intervals.
struct BlockPlan {
  KeyLine line;
  std::vector<KeySegment> shared;                                               // ascending
  std::array<std::vector<Interval>, static_cast<std::size_t>(kBlockRows)> lone; // ascending

  std::uint64_t sharingRows() const; // those with a shared segment
};

// Plans blocks, one after another, in the same memory: O(ranges) and a window of positions.
class BlockPlanner {
public:
  // stripRows: a divisor of kBlockRows.
  explicit BlockPlanner(Index stripRows);

  // Valid until the next call. O(ranges + segments · strips); leading ranges that a row shares with
  // the row before it (clusters) are only compared. Where all keys are those of the last plan
  // shifted by one distance, as in a window or the next residue class, that plan is shifted:
  // O(ranges).
  const BlockPlan& plan(const BlockKeys& keys);

private:
  // A range of consecutive rows, and where it lies on the line.
  struct Bar {
    KeyRange range;
    Index firstRow = 0;
    std::uint64_t rows = 0;
    Interval at = {};
  };

  bool moves(const BlockKeys& keys);
  void moveBy(Index further);
  void remember(const BlockKeys& keys);
  void collectBars(const BlockKeys& keys);
  void closeBars(std::size_t kept, Index row);
  void layLine();
  Interval placed(const KeyRange& range) const;
  void cutLine();
  void mark(const Bar& bar, Index begin, Index end);
  void toggle(Index position, std::uint64_t rows);
  void walkMarks(Index begin);
  void appendSegment(Index begin, Index end, std::uint64_t rows);
  void chooseShared(std::uint64_t strip);
  void divide();

  Index stripRows_;
  BlockPlan plan_;
  BlockKeys made_;  // of the last plan made; none if it cannot be shifted
  Index moved_ = 0; // how far the plan has been shifted since
  std::vector<Bar> bars_;
  std::vector<std::size_t> open_;      // for each range of the current row, its bar
  std::vector<Bar> carried_;           // bars that go on in the next window
  std::vector<std::uint64_t> toggles_; // at a position of the window: rows that begin or end there
  std::vector<std::uint64_t> touched_; // one bit per position of the window
  std::vector<KeySegment> segments_;
  std::vector<std::uint64_t> shared_; // for each segment, the rows of strips that share it
};

// Writes the keys of a query.
using RowSource = std::function<void(Index i, KeyRanges& ranges)>;

// An order of the queries that brings together those that see similar sets of keys, for patterns
// whose neighbours share little and that have no order of their own (unions of clusters, masks from
// files): by two min-hashes of the row, which are equal for two rows with probability |A ∩ B| / |A
// ∪ B| of their sets (Broder 1997). Empty if the queries are better taken in their natural
// order: blocks share enough, or have combs, or too few rows of a sample are alike. O(an eighth of
// the rows), else O(rows · log rows). The same at any number of threads. Throws Stopped.
std::vector<Index> similarOrder(const RowSource& row, Index queries, BlockPlanner& planner,
                                int threads, const Run& run);

} // namespace attention
