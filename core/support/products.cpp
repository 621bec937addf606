#include "core/support/products.h"

#include <Eigen/Core>

namespace attention {
namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Eigen::Map<const RowMajor<T>, 0, Eigen::OuterStride<>> mapped(MatrixView<const T> m) {
  return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride)};
}

template <class T>
Eigen::Map<RowMajor<T>, 0, Eigen::OuterStride<>> mappedOut(MatrixView<T> m) {
  return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride)};
}

} // namespace

template <class T>
void multiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out, bool add) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  if (out.rows == 0 || out.cols == 0)
    return;
  if (add)
    mappedOut(out).noalias() += mapped(a) * mapped(b);
  else
    mappedOut(out).noalias() = mapped(a) * mapped(b);
}

template <class T>
void multiplyTransposed(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  if (out.rows > 0 && out.cols > 0)
    mappedOut(out).noalias() = mapped(a) * mapped(b).transpose();
}

template <class T>
void transposedMultiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out, bool add) {
  assert(a.rows == b.rows && out.rows == a.cols && out.cols == b.cols);
  if (out.rows == 0 || out.cols == 0)
    return;
  if (add)
    mappedOut(out).noalias() += mapped(a).transpose() * mapped(b);
  else
    mappedOut(out).noalias() = mapped(a).transpose() * mapped(b);
}

template void multiply(MatrixView<const float>, MatrixView<const float>, MatrixView<float>, bool);
template void multiply(MatrixView<const double>, MatrixView<const double>, MatrixView<double>,
                       bool);
template void multiplyTransposed(MatrixView<const float>, MatrixView<const float>,
                                 MatrixView<float>);
template void multiplyTransposed(MatrixView<const double>, MatrixView<const double>,
                                 MatrixView<double>);
template void transposedMultiply(MatrixView<const float>, MatrixView<const float>,
                                 MatrixView<float>, bool);
template void transposedMultiply(MatrixView<const double>, MatrixView<const double>,
                                 MatrixView<double>, bool);

} // namespace attention
