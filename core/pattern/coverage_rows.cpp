#include "core/pattern/coverage_rows.h"

#include "core/pattern/sampled_rows.h"

#include <algorithm>

namespace attention {
namespace {

__extension__ using Wide = __int128; // cells · rows exceed 64 bits

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

std::size_t planesOf(const Prepared& pattern) {
  const std::size_t parts = std::max<std::size_t>(pattern.parts().size(), 1);
  return parts > kMostPartsShown ? 1 : parts;
}

Index queriesOf(const Lattice& lattice) {
  return lattice.rowEdges.back() - lattice.rowEdges.front();
}

// Adds the keys of one query to a row of pixels; a key of several parts counts for the first.
class AskedRow {
public:
  AskedRow(const Prepared& pattern, std::span<const Index> edges,
           std::span<const std::span<Index>> counts)
      : pattern_(pattern), edges_(edges), counts_(counts) {}

  void add(Index query) {
    if (counts_.size() == 1) {
      pattern_.row(query, span(), ranges_);
      addRanges(ranges_, counts_.front(), 1);
      return;
    }
    taken_.clear();
    for (std::size_t part = 0; part < counts_.size(); ++part) {
      pattern_.row(part, query, span(), ranges_);
      KeyRanges both = taken_;
      both.insert(both.end(), ranges_.begin(), ranges_.end());
      normalise(both);
      // The union with this part less the union before it.
      std::swap(ranges_, both);
      addRanges(ranges_, counts_[part], 1);
      addRanges(taken_, counts_[part], -1);
      taken_ = ranges_;
    }
  }

private:
  KeySpan span() const { return {edges_.front(), edges_.back()}; }

  void addRanges(const KeyRanges& ranges, std::span<Index> counts, Index sign) const {
    for (const KeyRange& range : ranges) {
      const auto from = std::upper_bound(edges_.begin(), edges_.end(), range.begin);
      const auto first = std::max<std::ptrdiff_t>(from - edges_.begin() - 1, 0);
      for (auto b = static_cast<std::size_t>(first); b < counts.size(); ++b) {
        if (edges_[b] >= range.end)
          break;
        counts[b] += sign * count(range, edges_[b], edges_[b + 1]);
      }
    }
  }

  const Prepared& pattern_;
  std::span<const Index> edges_;
  std::span<const std::span<Index>> counts_;
  KeyRanges ranges_;
  KeyRanges taken_;
};

} // namespace

CoverageRows::CoverageRows(const Prepared& pattern, const Lattice& lattice)
    : pattern_(pattern), lattice_(lattice), planes_(planesOf(pattern)),
      exact_(!samplesCoverage(pattern, queriesOf(lattice))) {
  for (const Term& term : pattern.terms())
    terms_.push_back({plane(static_cast<std::size_t>(term.part)),
                      {term, lattice.keyEdges, pattern.lengths().keys}});
}

void CoverageRows::add(Index row, std::span<const std::span<Index>> counts, const Run& run) const {
  if (pattern_.closedForm())
    addClosed(row, counts);
  else
    addAsked(row, counts, run);
}

void CoverageRows::addClosed(Index row, std::span<const std::span<Index>> counts) const {
  const Index offset = pattern_.lengths().offset;
  const Index top = std::max<Index>(lattice_.rowEdges[at(row)] + offset, 0);
  const Index bottom = std::max<Index>(lattice_.rowEdges[at(row) + 1] + offset, 0);
  if (top >= bottom)
    return;
  for (const PlanedTerm& term : terms_)
    term.strips.add(top, bottom, counts[term.plane]);
  const auto parts = pattern_.parts();
  for (std::size_t k = 0; k < parts.size(); ++k)
    addTable(parts[k].cells, top, bottom, counts[plane(k)]);
}

void CoverageRows::addTable(const Cells& cells, Index top, Index bottom,
                            std::span<Index> counts) const {
  if (!isListed(cells))
    return;
  const std::vector<Index>& edges = lattice_.keyEdges;
  if (const auto* table = std::get_if<std::shared_ptr<const RowTable>>(&cells)) {
    (*table)->addStrip(top, bottom, edges, counts);
    return;
  }
  if (const auto* counted = std::get_if<CountedCells>(&cells); counted && counted->addStrip) {
    counted->addStrip(top, bottom, edges, counts);
    return;
  }
  const Index keys = pattern_.lengths().keys;
  for (std::size_t b = 0; b < counts.size(); ++b)
    counts[b] += countListed(cells, {top, bottom, edges[b], std::min(edges[b + 1], keys)});
}

// All queries of the row, or sampled ones whose counts are scaled up.
void CoverageRows::addAsked(Index row, std::span<const std::span<Index>> counts,
                            const Run& run) const {
  const Index begin = lattice_.rowEdges[at(row)];
  const Index end = lattice_.rowEdges[at(row) + 1];
  const Index queries = end - begin;
  const Index budget = exact_ ? queries : std::max<Index>(kMostExactRows / lattice_.rows(), 1);
  const Index visited = std::min(queries, budget);
  AskedRow asked(pattern_, lattice_.keyEdges, counts);
  for (Index k = 0; k < visited; ++k) {
    run.check();
    asked.add(visited == queries ? begin + k : sampledRow(begin, end, visited, k));
  }
  if (visited == queries || visited == 0)
    return;
  for (const std::span<Index> plane : counts)
    for (Index& cells : plane)
      cells = static_cast<Index>(static_cast<Wide>(cells) * queries / visited);
}

} // namespace attention
