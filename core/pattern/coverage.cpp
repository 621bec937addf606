#include "core/pattern/coverage.h"

#include "core/pattern/coverage_rows.h"
#include "core/support/parallel.h"

namespace attention {
namespace {

std::vector<Index> edges(Index begin, Index end, Index pixels) {
  std::vector<Index> at(static_cast<std::size_t>(pixels) + 1);
  for (Index k = 0; k <= pixels; ++k)
    at[static_cast<std::size_t>(k)] = begin + (end - begin) * k / pixels;
  return at;
}

} // namespace

Lattice latticeOver(const Rect& rect, Index rows, Index cols) {
  return {edges(rect.rowBegin, rect.rowEnd, rows), edges(rect.keyBegin, rect.keyEnd, cols)};
}

bool samplesCoverage(const Prepared& pattern, Index queries) {
  return !pattern.closedForm() && queries > kMostExactRows;
}

Index Coverage::total(Index row, Index col) const {
  Index cells = 0;
  for (const auto& plane : counts)
    cells += plane[static_cast<std::size_t>(row * cols + col)];
  return cells;
}

Coverage computeCoverage(const Prepared& pattern, const Lattice& lattice, const Run& run,
                         int threads) {
  const CoverageRows rows(pattern, lattice);
  Coverage coverage{lattice.rows(), lattice.cols(), {}, rows.exact()};
  const auto cols = static_cast<std::size_t>(coverage.cols);
  const auto pixels = static_cast<std::size_t>(coverage.rows) * cols;
  coverage.counts.resize(rows.planes());
  for (std::vector<Index>& plane : coverage.counts)
    plane.resize(pixels);
  parallelFor(coverage.rows, threads, run, [&](Index row) {
    std::vector<std::span<Index>> planes;
    for (std::vector<Index>& plane : coverage.counts)
      planes.push_back(std::span(plane).subspan(static_cast<std::size_t>(row) * cols, cols));
    rows.add(row, planes, run);
  });
  return coverage;
}

} // namespace attention
