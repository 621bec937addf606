#include "core/attention/weights.h"

#include "core/attention/row_scores.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// Adds the cells of row i between the edges to the pixels of one row of the picture.
template <class T>
void addRow(const WeightSource<T>& source, Index i, std::span<const Index> edges,
            Reduction reduction, RowScores<T>& scores, KeyRanges& ranges, std::span<T> pixels) {
  source.pattern.row(i, ranges);
  const T lse = source.lse[static_cast<std::size_t>(i)];
  // Pixel b is the last one that begins at or before the key; empty pixels are passed over.
  const auto add = [&](Index begin, std::span<const T> run) {
    auto edge = std::upper_bound(edges.begin(), edges.end(), begin);
    for (std::size_t t = 0; t < run.size(); ++t) {
      while (*edge <= begin + static_cast<Index>(t))
        ++edge;
      T& pixel = pixels[static_cast<std::size_t>(edge - edges.begin()) - 1];
      const T p = std::exp(run[t] - lse);
      pixel = reduction == Reduction::Sum ? pixel + p : std::max(pixel, p);
    }
  };
  scores.visit(i, ranges, edges.front(), edges.back(), add);
}

} // namespace

template <class T>
T weightAt(const WeightSource<T>& source, Index i, Index j) {
  if (!source.pattern.contains(i, j))
    return 0;
  RowScores<T> scores(source.q, source.k, source.scale);
  T p = 0;
  scores.visit(i, {{j, j + 1, 1, 1}}, j, j + 1, [&](Index, std::span<const T> s) {
    p = std::exp(s[0] - source.lse[static_cast<std::size_t>(i)]);
  });
  return p;
}

template <class T>
Matrix<T> weightsOf(const WeightSource<T>& source, const Rect& cells, int threads, const Run& run) {
  assert(intersection(cells, source.pattern.bounds()) == cells);
  Matrix<T> result(cells.rowEnd - cells.rowBegin, cells.keyEnd - cells.keyBegin);
  const MatrixView<T> out = result.view();
  parallelFor(result.rows(), threads, run, [&](Index row) {
    RowScores<T> scores(source.q, source.k, source.scale);
    KeyRanges ranges;
    const Index i = cells.rowBegin + row;
    const T lse = source.lse[static_cast<std::size_t>(i)];
    source.pattern.row(i, ranges);
    scores.visit(i, ranges, cells.keyBegin, cells.keyEnd, [&](Index begin, std::span<const T> s) {
      for (std::size_t t = 0; t < s.size(); ++t)
        out(row, begin - cells.keyBegin + static_cast<Index>(t)) = std::exp(s[t] - lse);
    });
  });
  return result;
}

template <class T>
Matrix<T> weightsPicture(const WeightSource<T>& source, std::span<const Index> rowEdges,
                         std::span<const Index> keyEdges, Reduction reduction, int threads,
                         const Run& run) {
  assert(!rowEdges.empty() && !keyEdges.empty());
  Matrix<T> picture(static_cast<Index>(rowEdges.size()) - 1,
                    static_cast<Index>(keyEdges.size()) - 1);
  const MatrixView<T> out = picture.view();
  parallelFor(picture.rows(), threads, run, [&](Index a) {
    RowScores<T> scores(source.q, source.k, source.scale);
    KeyRanges ranges;
    const auto pixel = static_cast<std::size_t>(a);
    for (Index i = rowEdges[pixel]; i < rowEdges[pixel + 1]; ++i) {
      run.check();
      addRow(source, i, keyEdges, reduction, scores, ranges, out.row(a));
    }
  });
  return picture;
}

template float weightAt(const WeightSource<float>&, Index, Index);
template double weightAt(const WeightSource<double>&, Index, Index);
template Matrix<float> weightsOf(const WeightSource<float>&, const Rect&, int, const Run&);
template Matrix<double> weightsOf(const WeightSource<double>&, const Rect&, int, const Run&);
template Matrix<float> weightsPicture(const WeightSource<float>&, std::span<const Index>,
                                      std::span<const Index>, Reduction, int, const Run&);
template Matrix<double> weightsPicture(const WeightSource<double>&, std::span<const Index>,
                                       std::span<const Index>, Reduction, int, const Run&);

} // namespace attention
