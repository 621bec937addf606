#include "core/analysis/tiles/weight_tiles.h"

#include "core/support/part_of_run.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kRows = 128; // of weights at once

// Adds the weights of some rows, which all lie in one row of squares.
void addRows(const Matrix<float>& weights, const std::vector<Index>& edges, double* sums) {
  for (Index i = 0; i < weights.rows(); ++i) {
    const auto row = weights.view().row(i);
    for (std::size_t c = 0; c + 1 < edges.size(); ++c)
      for (Index j = edges[c]; j < edges[c + 1]; ++j)
        sums[c] += static_cast<double>(row[static_cast<std::size_t>(j - edges.front())]);
  }
}

} // namespace

WeightTiles weightTiles(const HeadWeights& of, const TileGrid& grid, const Run& run) {
  const auto& rows = grid.lattice.rowEdges;
  const auto& keys = grid.lattice.keyEdges;
  const auto squares = static_cast<std::size_t>(grid.lattice.rows() * grid.lattice.cols());
  WeightTiles tiles{tileLayer(*of.pattern(), grid, run.threads, run.quiet()),
                    std::vector<double>(squares), std::vector<double>(squares)};
  std::size_t at = 0;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r, at += keys.size() - 1) {
    run.report(static_cast<double>(rows[r] - rows.front()) /
               static_cast<double>(rows.back() - rows.front()));
    for (Index i = rows[r]; i < rows[r + 1]; i += kRows) {
      run.check();
      const Rect cells{i, std::min(i + kRows, rows[r + 1]), keys.front(), keys.back()};
      addRows(of.denseRows(cells, run.quiet()), keys, &tiles.dense[at]);
      addRows(of.patternRows(cells, run.quiet()), keys, &tiles.pattern[at]);
    }
  }
  const auto queries = static_cast<double>(of.pattern()->lengths().queries);
  for (std::vector<double>* sums : {&tiles.dense, &tiles.pattern})
    for (double& sum : *sums)
      sum /= queries;
  return tiles;
}

double denseMassIn(const WeightTiles& tiles, TileKind kind) {
  double mass = 0;
  for (std::size_t k = 0; k < tiles.dense.size(); ++k)
    if (tiles.layer.kinds[k] == kind)
      mass += tiles.dense[k];
  return mass;
}

} // namespace attention
