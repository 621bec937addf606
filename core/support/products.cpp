#include "core/support/products.h"

#include "core/support/tile_products.h"

namespace attention {

template <class T>
void multiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out, bool add) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  tileSums<T>(add ? TileSum::AddProducts : TileSum::Products, {a.data, a.stride, 1},
              {b.data, b.stride, 1}, a.cols, out);
}

template <class T>
void multiplyTransposed(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  tileSums<T>(TileSum::Products, {a.data, a.stride, 1}, {b.data, 1, b.stride}, a.cols, out);
}

template <class T>
void transposedMultiply(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> out, bool add) {
  assert(a.rows == b.rows && out.rows == a.cols && out.cols == b.cols);
  tileSums<T>(add ? TileSum::AddProducts : TileSum::Products, {a.data, 1, a.stride},
              {b.data, b.stride, 1}, a.rows, out);
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
