#include "core/plot/cell_rects.h"

#include "core/pattern/coverage.h"

#include <algorithm>
#include <tuple>

namespace attention {
namespace {

struct Run1D {
  Index begin = 0;
  Index end = 0;
  std::size_t part = 0;
  Index since = 0; // first row of the rectangle that it belongs to
};

bool sameKeys(const Run1D& a, const Run1D& b) {
  return a.begin == b.begin && a.end == b.end && a.part == b.part;
}

bool before(const Run1D& a, const Run1D& b) {
  return std::tie(a.begin, a.end, a.part) < std::tie(b.begin, b.end, b.part);
}

// Appends what `run` has outside the sorted disjoint runs `taken`.
void appendOutside(Run1D run, const std::vector<Run1D>& taken, std::vector<Run1D>& out) {
  auto next = std::upper_bound(taken.begin(), taken.end(), run.begin,
                               [](Index key, const Run1D& t) { return key < t.end; });
  for (; next != taken.end() && next->begin < run.end; ++next) {
    if (run.begin < next->begin)
      out.push_back({run.begin, next->begin, run.part, run.since});
    run.begin = next->end;
  }
  if (run.begin < run.end)
    out.push_back(run);
}

class RectBuilder {
public:
  RectBuilder(const Prepared& pattern, const Rect& cells)
      : pattern_(pattern), cells_(cells),
        planes_(pattern.parts().size() > kMostPartsShown ? 1 : pattern.parts().size()) {}

  void addRow(Index query) {
    runsOf(query);
    // Both lists are sorted: a run that was not there ends its rectangle, a new one begins one.
    auto open = open_.begin();
    for (Run1D& run : runs_) {
      while (open != open_.end() && before(*open, run))
        close(*open++, query);
      run.since = query;
      if (open != open_.end() && sameKeys(*open, run))
        run.since = (open++)->since;
    }
    while (open != open_.end())
      close(*open++, query);
    std::swap(open_, runs_);
  }

  std::size_t size() const { return rects_.size() + open_.size(); }

  std::vector<CellRect> finish() {
    for (const Run1D& run : open_)
      close(run, cells_.rowEnd);
    std::stable_sort(rects_.begin(), rects_.end(), [](const CellRect& a, const CellRect& b) {
      return std::tie(a.part, a.cells) < std::tie(b.part, b.cells);
    });
    return std::move(rects_);
  }

private:
  // The row's runs by first part, sorted and disjoint.
  void runsOf(Index query) {
    runs_.clear();
    for (std::size_t part = 0; part < planes_; ++part) {
      const KeySpan span{cells_.keyBegin, cells_.keyEnd};
      if (planes_ == pattern_.parts().size())
        pattern_.row(part, query, span, ranges_);
      else
        pattern_.row(query, span, ranges_);
      const std::vector<Run1D> taken = runs_;
      for (const KeyRange& range : ranges_)
        appendRange(range, part, taken);
      std::sort(runs_.begin(), runs_.end(), before);
      joinTouching();
    }
  }

  void joinTouching() {
    std::size_t kept = 0;
    for (std::size_t k = 1; k < runs_.size(); ++k)
      if (runs_[k].begin == runs_[kept].end && runs_[k].part == runs_[kept].part)
        runs_[kept].end = runs_[k].end;
      else
        runs_[++kept] = runs_[k];
    if (!runs_.empty())
      runs_.resize(kept + 1);
  }

  void appendRange(const KeyRange& range, std::size_t part, const std::vector<Run1D>& taken) {
    forEachRun(range, [&](Index begin, Index end) {
      appendOutside({begin, end, part, 0}, taken, runs_);
    });
  }

  void close(const Run1D& run, Index rowEnd) {
    rects_.push_back({{run.since, rowEnd, run.begin, run.end}, run.part});
  }

  const Prepared& pattern_;
  Rect cells_;
  std::size_t planes_;
  KeyRanges ranges_;
  KeyRanges cut_;
  std::vector<Run1D> runs_;
  std::vector<Run1D> open_;
  std::vector<CellRect> rects_;
};

} // namespace

std::optional<std::vector<CellRect>> cellRects(const Prepared& pattern, const Rect& cells,
                                               std::size_t most, const Run& run) {
  constexpr Index kRowsBetweenChecks = 1024;
  RectBuilder builder(pattern, cells);
  for (Index query = cells.rowBegin; query < cells.rowEnd; ++query) {
    if (query % kRowsBetweenChecks == 0)
      run.check();
    builder.addRow(query);
    if (builder.size() > most)
      return std::nullopt;
  }
  return builder.finish();
}

} // namespace attention
