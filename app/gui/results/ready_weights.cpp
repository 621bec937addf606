#include "app/gui/results/ready_weights.h"

#include <algorithm>

namespace attention::gui {
namespace {

// The largest or the sum of row i's weights in [begin, end).
float reduced(const Matrix<float>& weights, Index i, const KeyRanges& ranges, Index begin,
              Index end, Reduction reduction) {
  float result = 0;
  KeyRanges cut;
  for (const KeyRange& range : ranges)
    appendCut(range, begin, end, cut);
  for (const KeyRange& range : cut)
    forEachRun(range, [&](Index first, Index last) {
      for (Index j = first; j < last; ++j)
        result =
            reduction == Reduction::Sum ? result + weights(i, j) : std::max(result, weights(i, j));
    });
  return result;
}

} // namespace

Matrix<float> readyPicture(const Prepared& pattern, const Matrix<float>& weights,
                           const Lattice& lattice, Reduction reduction, const Run& run) {
  Matrix<float> picture(lattice.rows(), lattice.cols());
  KeyRanges ranges;
  const auto edge = [](const std::vector<Index>& edges, Index at) {
    return edges[static_cast<std::size_t>(at)];
  };
  for (Index a = 0; a < lattice.rows(); ++a) {
    run.report(static_cast<double>(a) / static_cast<double>(lattice.rows()));
    for (Index i = edge(lattice.rowEdges, a); i < edge(lattice.rowEdges, a + 1); ++i) {
      pattern.row(i, ranges);
      for (Index b = 0; b < lattice.cols(); ++b) {
        const float w = reduced(weights, i, ranges, edge(lattice.keyEdges, b),
                                edge(lattice.keyEdges, b + 1), reduction);
        float& pixel = picture(a, b);
        pixel = reduction == Reduction::Sum ? pixel + w : std::max(pixel, w);
      }
    }
  }
  return picture;
}

} // namespace attention::gui
