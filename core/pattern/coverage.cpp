#include "core/pattern/coverage.h"

#include "core/pattern/sampled_rows.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace attention {
namespace {

__extension__ using Wide = __int128; // cells · rows exceed 64 bits

std::vector<Index> edges(Index begin, Index end, Index pixels) {
  std::vector<Index> at(static_cast<std::size_t>(pixels) + 1);
  for (Index k = 0; k <= pixels; ++k)
    at[static_cast<std::size_t>(k)] = begin + (end - begin) * k / pixels;
  return at;
}

std::size_t planesOf(const Prepared& pattern) {
  const std::size_t parts = std::max<std::size_t>(pattern.parts().size(), 1);
  return parts > kMostPartsShown ? 1 : parts;
}

// One row of pixels, by terms: corners at the lattice points of the two edges, differences between.
class TermRow {
public:
  TermRow(const Prepared& pattern, const Lattice& lattice, Coverage& coverage)
      : pattern_(pattern), lattice_(lattice), coverage_(coverage) {}

  void add(Index row) {
    const Index offset = pattern_.lengths().offset;
    const Index top = std::max<Index>(lattice_.rowEdges[at(row)] + offset, 0);
    const Index bottom = std::max<Index>(lattice_.rowEdges[at(row) + 1] + offset, 0);
    if (top >= bottom)
      return;
    for (const Term& term : pattern_.terms())
      addTerm(term, top, bottom, row);
    for (std::size_t k = 0; k < pattern_.parts().size(); ++k)
      addTable(pattern_.parts()[k], plane(static_cast<int>(k)), top, bottom, row);
  }

private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  std::size_t plane(int part) const {
    return coverage_.counts.size() == 1 ? 0 : static_cast<std::size_t>(part);
  }

  // The pixel columns that meet the keys [begin, end).
  std::pair<Index, Index> columns(Index begin, Index end) const {
    const auto& keys = lattice_.keyEdges;
    const auto first = std::upper_bound(keys.begin(), keys.end(), begin);
    const auto last = std::lower_bound(keys.begin(), keys.end(), end);
    return {std::max<Index>(first - keys.begin() - 1, 0),
            std::min<Index>(last - keys.begin(), coverage_.cols)};
  }

  void addTerm(const Term& term, Index top, Index bottom, Index row) {
    const Primitive& p = term.primitive;
    const KeyRange span = keySpan(p, top, bottom);
    const Rect& clip = p.clip;
    const Index y0 = std::max(top, clip.rowBegin);
    const Index y1 = std::min(bottom, clip.rowEnd);
    if (span.begin >= span.end || y0 >= y1)
      return;
    const auto [first, last] = columns(span.begin, span.end);
    auto& counts = coverage_.counts[plane(term.part)];
    const auto strip = [&](Index b) {
      const Index x = std::clamp(lattice_.keyEdges[at(b)], clip.keyBegin,
                                 std::min(clip.keyEnd, pattern_.lengths().keys));
      return corner(p, y1, x) - corner(p, y0, x);
    };
    Index left = first < last ? strip(first) : 0;
    for (Index b = first; b < last; ++b) {
      const Index right = strip(b + 1);
      counts[at(row * coverage_.cols + b)] += term.sign * (right - left);
      left = right;
    }
  }

  void addTable(const Part& part, std::size_t plane, Index top, Index bottom, Index row) {
    if (!isListed(part.cells))
      return;
    auto& counts = coverage_.counts[plane];
    if (const auto* table = std::get_if<std::shared_ptr<const RowTable>>(&part.cells)) {
      const std::span<Index> strip(counts.data() + at(row * coverage_.cols), at(coverage_.cols));
      (*table)->addStrip(top, bottom, lattice_.keyEdges, strip);
      return;
    }
    if (const auto* cells = std::get_if<CountedCells>(&part.cells); cells && cells->addStrip) {
      cells->addStrip(top, bottom, lattice_.keyEdges,
                      {counts.data() + at(row * coverage_.cols), at(coverage_.cols)});
      return;
    }
    const Index keys = pattern_.lengths().keys;
    for (Index b = 0; b < coverage_.cols; ++b)
      counts[at(row * coverage_.cols + b)] +=
          countListed(part.cells, {top, bottom, lattice_.keyEdges[at(b)],
                                   std::min(lattice_.keyEdges[at(b) + 1], keys)});
  }

  const Prepared& pattern_;
  const Lattice& lattice_;
  Coverage& coverage_;
};

// Adds the keys of one query to a row of pixels; a key of several parts counts for the first.
class AskedRow {
public:
  AskedRow(const Prepared& pattern, const Lattice& lattice, Coverage& coverage)
      : pattern_(pattern), lattice_(lattice), coverage_(coverage) {}

  void add(Index query, Index row) {
    if (coverage_.counts.size() == 1) {
      pattern_.row(query, span(), ranges_);
      addRanges(coverage_.counts.front(), row);
      return;
    }
    taken_.clear();
    for (std::size_t part = 0; part < coverage_.counts.size(); ++part) {
      pattern_.row(part, query, span(), ranges_);
      KeyRanges both = taken_;
      both.insert(both.end(), ranges_.begin(), ranges_.end());
      normalise(both);
      // The union with this part less the union before it.
      std::swap(ranges_, both);
      addRanges(coverage_.counts[part], row, 1);
      addRangesOf(taken_, coverage_.counts[part], row, -1);
      taken_ = ranges_;
    }
  }

private:
  KeySpan span() const { return {lattice_.keyEdges.front(), lattice_.keyEdges.back()}; }

  void addRanges(std::vector<Index>& counts, Index row, Index sign = 1) {
    addRangesOf(ranges_, counts, row, sign);
  }

  void addRangesOf(const KeyRanges& ranges, std::vector<Index>& counts, Index row, Index sign) {
    const auto& keys = lattice_.keyEdges;
    for (const KeyRange& range : ranges) {
      const auto from = std::upper_bound(keys.begin(), keys.end(), range.begin) - keys.begin() - 1;
      for (Index b = std::max<Index>(from, 0); b < coverage_.cols; ++b) {
        const auto k = static_cast<std::size_t>(b);
        if (keys[k] >= range.end)
          break;
        counts[static_cast<std::size_t>(row * coverage_.cols + b)] +=
            sign * count(range, keys[k], keys[k + 1]);
      }
    }
  }

  const Prepared& pattern_;
  const Lattice& lattice_;
  Coverage& coverage_;
  KeyRanges ranges_;
  KeyRanges taken_;
};

// Rows of a pixel that are visited: all, or sampled ones whose counts are scaled up.
void addQueries(AskedRow& asked, Coverage& coverage, Index begin, Index end, Index budget,
                Index row, const Run& run) {
  const Index queries = end - begin;
  const Index visited = std::min(queries, budget);
  for (Index k = 0; k < visited; ++k) {
    run.check();
    asked.add(visited == queries ? begin + k : sampledRow(begin, end, visited, k), row);
  }
  if (visited == queries || visited == 0)
    return;
  for (auto& plane : coverage.counts)
    for (Index b = 0; b < coverage.cols; ++b) {
      Index& cells = plane[static_cast<std::size_t>(row * coverage.cols + b)];
      cells = static_cast<Index>(static_cast<Wide>(cells) * queries / visited);
    }
}

} // namespace

Lattice latticeOver(const Rect& rect, Index rows, Index cols) {
  return {edges(rect.rowBegin, rect.rowEnd, rows), edges(rect.keyBegin, rect.keyEnd, cols)};
}

Index Coverage::total(Index row, Index col) const {
  Index cells = 0;
  for (const auto& plane : counts)
    cells += plane[static_cast<std::size_t>(row * cols + col)];
  return cells;
}

Coverage computeCoverage(const Prepared& pattern, const Lattice& lattice, const Run& run,
                         int threads) {
  Coverage coverage{lattice.rows(), lattice.cols(), {}, true};
  const auto pixels = static_cast<std::size_t>(coverage.rows * coverage.cols);
  coverage.counts.assign(planesOf(pattern), std::vector<Index>(pixels));
  const Index queries = lattice.rowEdges.back() - lattice.rowEdges.front();
  const bool sampled = !pattern.closedForm() && queries > kMostExactRows;
  const Index budget = sampled ? std::max<Index>(kMostExactRows / coverage.rows, 1) : queries;
  coverage.exact = !sampled;
  parallelFor(coverage.rows, threads, run, [&](Index row) {
    if (pattern.closedForm()) {
      TermRow(pattern, lattice, coverage).add(row);
      return;
    }
    AskedRow asked(pattern, lattice, coverage);
    const auto k = static_cast<std::size_t>(row);
    addQueries(asked, coverage, lattice.rowEdges[k], lattice.rowEdges[k + 1], budget, row, run);
  });
  return coverage;
}

} // namespace attention
