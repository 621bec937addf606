#include "core/attention/dense_softmax.h"

#include "core/attention/features/elementwise.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

constexpr Index kBlock = 64;

template <class T>
void softmaxRow(std::span<T> row, T scale) {
  T most = scale * row[0];
  for (T& x : row) {
    x *= scale;
    most = std::max(most, x);
  }
  for (T& x : row)
    x = exponential(x - most);
  T sum = 0;
  for (const T x : row)
    sum += x;
  for (T& x : row)
    x /= sum;
}

} // namespace

template <class T>
Matrix<T> denseSoftmaxRows(MatrixView<const T> q, MatrixView<const T> k, double scale, Index begin,
                           Index end) {
  Matrix<T> rows(end - begin, k.rows);
  multiplyTransposed(rowsOf(q, begin, end), k, rows.view());
  for (Index r = 0; r < rows.rows(); ++r)
    softmaxRow(rows.view().row(r), static_cast<T>(scale));
  return rows;
}

template <class T>
Matrix<T> denseSoftmaxAttention(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                                double scale, int threads, const Run& run) {
  Matrix<T> out(q.rows, v.cols);
  parallelFor(ceilDiv(q.rows, kBlock), threads, run, [&](Index b) {
    const Index end = std::min((b + 1) * kBlock, q.rows);
    const Matrix<T> p = denseSoftmaxRows(q, k, scale, b * kBlock, end);
    multiply(p.view(), v, rowsOf(out.view(), b * kBlock, end));
  });
  return out;
}

template Matrix<float> denseSoftmaxRows(MatrixView<const float>, MatrixView<const float>, double,
                                        Index, Index);
template Matrix<double> denseSoftmaxRows(MatrixView<const double>, MatrixView<const double>, double,
                                         Index, Index);
template Matrix<float> denseSoftmaxAttention(MatrixView<const float>, MatrixView<const float>,
                                             MatrixView<const float>, double, int, const Run&);
template Matrix<double> denseSoftmaxAttention(MatrixView<const double>, MatrixView<const double>,
                                              MatrixView<const double>, double, int, const Run&);

} // namespace attention
