#include "core/pattern/stroke_tables.h"

#include "core/support/error.h"

#include <algorithm>
#include <map>
#include <queue>

namespace attention {
namespace {

constexpr Index kGroupsBetweenReports = 64;

// A rectangle or a band that the row at hand lies in.
struct Active {
  Primitive shape;
  Index rowEnd = 0;
  std::size_t stroke = 0;
  bool add = true;

  bool isBand() const { return shape.shape == Shape::Band; }
  Index keyBegin(Index row) const { return isBand() ? row - shape.hi : shape.clip.keyBegin; }
  Index keyEnd(Index row) const { return isBand() ? row - shape.lo + 1 : shape.clip.keyEnd; }
};

// The copies of one piece that are still to come.
struct Coming {
  const StrokePiece* piece;
  StrokeCopies copies;
  Index rowBegin; // of the first of them

  bool operator<(const Coming& other) const { return rowBegin > other.rowBegin; } // soonest on top
};

[[noreturn]] void throwTooMany(Index rows) {
  throwRange("strokes",
             "a list of more than " + std::to_string(kMostStrokeRuns) + " runs of keys in " +
                 std::to_string(rows) + " rows",
             "one of fewer strokes, or with longer periods");
}

class Sweep {
public:
  Sweep(std::span<const StrokePiece> pieces, Index rows, Index keys)
      : rows_(std::max<Index>(rows, 0)), keys_(keys) {
    if (rows_ > 0)
      for (const StrokePiece& piece : pieces)
        push(&piece, copiesOf(piece, mask()));
  }

  StrokeTables tables(const Run& run) {
    Index groups = 0;
    for (Index row = 0; row < rows_;) {
      if (groups++ % kGroupsBetweenReports == 0)
        run.report(static_cast<double>(row) / static_cast<double>(rows_));
      enter(row);
      const Index end = nextChange(row);
      append(row, end);
      row = end;
    }
    flush();
    return {std::make_shared<const RowTable>(std::move(added_)),
            std::make_shared<const RowTable>(std::move(touched_)), std::move(rects_)};
  }

private:
  struct Edge {
    Index key;
    std::size_t stroke;
    bool add;
    bool begins;
  };
  struct Row {
    std::vector<KeyRun> added;
    std::vector<KeyRun> touched;
  };

  Rect mask() const { return {0, rows_, 0, keys_}; }

  void push(const StrokePiece* piece, StrokeCopies copies) {
    if (copies.count() == 0)
      return;
    const Primitive first = copyOf(*piece, copies.first, mask());
    const Index begin =
        first.shape == Shape::Band ? std::max<Index>(first.lo, 0) : first.clip.rowBegin;
    coming_.push({piece, copies, begin});
  }

  // Takes in what begins at or before the row, and drops what has ended.
  void enter(Index row) {
    std::erase_if(active_, [&](const Active& a) { return a.rowEnd <= row; });
    while (!coming_.empty() && coming_.top().rowBegin <= row) {
      const Coming next = coming_.top();
      coming_.pop();
      const Primitive shape = copyOf(*next.piece, next.copies.first, mask());
      const Index end =
          shape.shape == Shape::Band ? std::min(rows_, keys_ + shape.hi) : shape.clip.rowEnd;
      active_.push_back({shape, end, next.piece->stroke, next.piece->add});
      if (std::ssize(active_) > kMostStrokeRuns)
        throwTooMany(rows_);
      push(next.piece, {next.copies.first + 1, next.copies.last});
    }
  }

  // The first row behind this one whose keys may differ.
  Index nextChange(Index row) const {
    Index next = coming_.empty() ? rows_ : std::min(rows_, coming_.top().rowBegin);
    for (const Active& a : active_)
      next = std::min(next, a.isBand() ? row + 1 : a.rowEnd);
    return next;
  }

  void append(Index row, Index end) {
    Row keys = keysOf(row);
    if (!equal(keys.added, last_.added) || !equal(keys.touched, last_.touched)) {
      flush();
      last_ = std::move(keys);
    }
    end_ = end;
  }

  // Writes the group of rows that share their keys.
  void flush() {
    if (end_ == begin_)
      return;
    added_.appendGroup(end_, last_.added);
    touched_.appendGroup(end_, last_.touched);
    written_ += std::ssize(last_.added) + std::ssize(last_.touched) + 1;
    if (written_ > kMostStrokeRuns)
      throwTooMany(rows_);
    for (const KeyRun& run : last_.touched)
      if (rects_)
        rects_->push_back({begin_, end_, run.begin, run.end});
    if (rects_ && rects_->size() > kMostStrokeRects)
      rects_.reset();
    begin_ = end_;
  }

  // Along the row, the last stroke of those that hold a key decides.
  Row keysOf(Index row) {
    edges_.clear();
    for (const Active& a : active_) {
      const Index begin = std::max<Index>(a.keyBegin(row), 0);
      const Index end = std::min(a.keyEnd(row), keys_);
      if (begin >= end)
        continue;
      edges_.push_back({begin, a.stroke, a.add, true});
      edges_.push_back({end, a.stroke, a.add, false});
    }
    std::sort(edges_.begin(), edges_.end(),
              [](const Edge& a, const Edge& b) { return a.key < b.key; });
    Row keys;
    holding_.clear();
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      const Edge& edge = edges_[k];
      auto& [count, add] = holding_[edge.stroke];
      count += edge.begins ? 1 : -1;
      add = edge.add;
      if (count == 0)
        holding_.erase(edge.stroke);
      if (holding_.empty() || k + 1 == edges_.size() || edges_[k + 1].key == edge.key)
        continue;
      const KeyRun stretch{edge.key, edges_[k + 1].key, false};
      join(keys.touched, stretch);
      if (holding_.rbegin()->second.second)
        join(keys.added, stretch);
    }
    return keys;
  }

  static void join(std::vector<KeyRun>& runs, const KeyRun& run) {
    if (!runs.empty() && runs.back().end == run.begin)
      runs.back().end = run.end;
    else
      runs.push_back(run);
  }

  static bool equal(const std::vector<KeyRun>& a, const std::vector<KeyRun>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KeyRun& x, const KeyRun& y) {
      return x.begin == y.begin && x.end == y.end;
    });
  }

  Index rows_;
  Index keys_;
  std::priority_queue<Coming> coming_;
  std::vector<Active> active_;
  std::vector<Edge> edges_;
  std::map<std::size_t, std::pair<int, bool>> holding_; // strokes, how often and whether they add
  RowTable added_;
  RowTable touched_;
  std::optional<std::vector<Rect>> rects_{std::vector<Rect>()};
  Row last_; // of the rows [begin_, end_), not written yet
  Index begin_ = 0;
  Index end_ = 0;
  Index written_ = 0;
};

} // namespace

StrokeTables strokeTables(std::span<const StrokePiece> pieces, Index rows, Index keys,
                          const Run& run) {
  return Sweep(pieces, rows, keys).tables(run);
}

} // namespace attention
