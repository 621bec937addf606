#include "core/attention/weights.h"

#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attention {
namespace {

// Adds the cells of row i between the edges to the pixels of one row of the picture.
template <class T>
void addRow(Index i, std::span<const Index> edges, Reduction reduction, RowWeights<T>& weights,
            std::span<T> pixels) {
  // Pixel b is the last one that begins at or before the key; empty pixels are passed over.
  const auto add = [&](Index begin, std::span<const T> run) {
    auto edge = std::upper_bound(edges.begin(), edges.end(), begin);
    for (std::size_t t = 0; t < run.size(); ++t) {
      while (*edge <= begin + static_cast<Index>(t))
        ++edge;
      T& pixel = pixels[static_cast<std::size_t>(edge - edges.begin()) - 1];
      const T p = run[t];
      pixel = reduction == Reduction::Sum ? pixel + p : std::max(pixel, p);
    }
  };
  weights.visit(i, edges.front(), edges.back(), add);
}

// The source's keys, or those that are made into `made`.
template <class T>
const WeightKeys<T>& keysOf(const WeightSource<T>& source, std::optional<WeightKeys<T>>& made) {
  return source.keys ? *source.keys : made.emplace(source.pattern, source.q, source.k);
}

} // namespace

template <class T>
T weightAt(const WeightSource<T>& source, Index i, Index j) {
  const bool oneSoftmax =
      source.pattern.outputs().combine == Combine::Union && !source.pattern.branches();
  if (oneSoftmax && !source.pattern.contains(i, j))
    return 0;
  // From a single key: its row of the keys that logits use is that of a one-row matrix.
  const auto rowOf = [](MatrixView<const T> m, Index row) {
    return MatrixView<const T>{m.data + row * m.stride, 1, m.cols, m.stride};
  };
  if (oneSoftmax) {
    const KeyRule& rule = source.pattern.outputs().keys;
    const LogitKeys<T> key(rule, rowOf(source.q, rule.fromQueries ? j : i), rowOf(source.k, j));
    RowScores<T> products(rowOf(source.q, i), key.view(), Scoring{});
    T p = 0;
    products.visit(0, {{0, 1, 1, 1}}, 0, 1, [&](Index, std::span<const T> product) {
      T score = product[0];
      scoreProducts<T>({&score, 1}, source.scoring, i, j);
      p = weightOf(score, source.lse[static_cast<std::size_t>(i)]);
    });
    return p;
  }
  return weightsOf(source, {i, i + 1, j, j + 1}, 1)(0, 0);
}

template <class T>
Matrix<T> weightsOf(const WeightSource<T>& source, const Rect& cells, int threads, const Run& run) {
  assert(intersection(cells, source.pattern.bounds()) == cells);
  Matrix<T> result(cells.rowEnd - cells.rowBegin, cells.keyEnd - cells.keyBegin);
  const MatrixView<T> out = result.view();
  std::optional<WeightKeys<T>> made;
  const WeightKeys<T>& keys = keysOf(source, made);
  parallelFor(result.rows(), threads, run, [&](Index row) {
    RowWeights<T> weights(source.pattern, source.q, keys, source.lse, source.scoring);
    const auto put = [&](Index begin, std::span<const T> p) {
      std::copy(p.begin(), p.end(), &out(row, begin - cells.keyBegin));
    };
    weights.visit(cells.rowBegin + row, cells.keyBegin, cells.keyEnd, put);
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
  std::optional<WeightKeys<T>> made;
  const WeightKeys<T>& keys = keysOf(source, made);
  parallelFor(picture.rows(), threads, run, [&](Index a) {
    RowWeights<T> weights(source.pattern, source.q, keys, source.lse, source.scoring);
    const auto pixel = static_cast<std::size_t>(a);
    for (Index i = rowEdges[pixel]; i < rowEdges[pixel + 1]; ++i) {
      run.check();
      addRow<T>(i, keyEdges, reduction, weights, out.row(a));
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
