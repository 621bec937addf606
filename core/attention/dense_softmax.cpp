#include "core/attention/dense_softmax.h"

#include "core/attention/vector_rows.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attention {
namespace {

constexpr Index kBlock = 64;

// The logit of the sink; −∞ without one.
template <class T>
T sinkOf(const Scoring& scoring) {
  return scoring.sink ? static_cast<T>(*scoring.sink) : -std::numeric_limits<T>::infinity();
}

// Replaces the products of query i by their softmax over the first `seen` keys, zero after them;
// returns ln of the sum, with the sink.
template <class T>
T softmaxRow(std::span<T> row, const Scoring& scoring, Index i, Index seen) {
  const std::span<T> shown = row.first(static_cast<std::size_t>(seen));
  scoreProducts(shown, scoring, i, 0);
  const T most = std::max(largestOf<T>(shown), sinkOf<T>(scoring));
  exponentiate<T>(shown, {.shift = most});
  const T sum = sumOfRow<T>(shown) + std::exp(sinkOf<T>(scoring) - most);
  divideRow(shown, sum);
  std::fill(row.begin() + seen, row.end(), T{0});
  return most + std::log(sum);
}

} // namespace

template <class T>
Matrix<T> denseSoftmaxRows(MatrixView<const T> q, MatrixView<const T> k, const Scoring& scoring,
                           Index begin, Index end) {
  Matrix<T> rows(end - begin, k.rows);
  multiplyTransposed(rowsOf(q, begin, end), k, rows.view());
  for (Index r = 0; r < rows.rows(); ++r)
    softmaxRow(rows.view().row(r), scoring, begin + r, k.rows);
  return rows;
}

template <class T>
DenseSoftmax<T> denseSoftmax(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                             const DenseOptions& options, const Run& run) {
  DenseSoftmax<T> result{Matrix<T>(q.rows, v.cols),
                         std::vector<T>(static_cast<std::size_t>(q.rows))};
  parallelFor(ceilDiv(q.rows, kBlock), options.threads, run, [&](Index b) {
    const Index begin = b * kBlock;
    const Index end = std::min(begin + kBlock, q.rows);
    const Index keys = options.causal ? end : k.rows;
    Matrix<T> p(end - begin, keys);
    multiplyTransposed(rowsOf(q, begin, end), rowsOf(k, 0, keys), p.view());
    for (Index i = begin; i < end; ++i)
      result.lse[static_cast<std::size_t>(i)] =
          softmaxRow(p.view().row(i - begin), options.scoring, i, options.causal ? i + 1 : keys);
    multiply(std::as_const(p).view(), rowsOf(v, 0, keys), rowsOf(result.out.view(), begin, end));
  });
  return result;
}

template <class T>
Matrix<T> denseSoftmaxAttention(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                                const Scoring& scoring, int threads, const Run& run) {
  return denseSoftmax(q, k, v, {scoring, false, threads}, run).out;
}

template DenseSoftmax<float> denseSoftmax(MatrixView<const float>, MatrixView<const float>,
                                          MatrixView<const float>, const DenseOptions&, const Run&);
template DenseSoftmax<double> denseSoftmax(MatrixView<const double>, MatrixView<const double>,
                                           MatrixView<const double>, const DenseOptions&,
                                           const Run&);
template Matrix<float> denseSoftmaxRows(MatrixView<const float>, MatrixView<const float>,
                                        const Scoring&, Index, Index);
template Matrix<double> denseSoftmaxRows(MatrixView<const double>, MatrixView<const double>,
                                         const Scoring&, Index, Index);
template Matrix<float> denseSoftmaxAttention(MatrixView<const float>, MatrixView<const float>,
                                             MatrixView<const float>, const Scoring&, int,
                                             const Run&);
template Matrix<double> denseSoftmaxAttention(MatrixView<const double>, MatrixView<const double>,
                                              MatrixView<const double>, const Scoring&, int,
                                              const Run&);

} // namespace attention
