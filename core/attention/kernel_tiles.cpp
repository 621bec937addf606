#include "core/attention/kernel_tiles.h"

#include "core/attention/features/elementwise.h"
#include "core/support/products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attention {
namespace {

constexpr Index kPieceKeys = 128;

// Several sums side by side, which compilers make vector code.
template <class T>
T squaredDistance(std::span<const T> x, std::span<const T> y) {
  constexpr std::size_t kLanes = 8;
  std::array<T, kLanes> sums{};
  std::size_t c = 0;
  for (; c + kLanes <= x.size(); c += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += (x[c + lane] - y[c + lane]) * (x[c + lane] - y[c + lane]);
  T sum = 0;
  for (const T lane : sums)
    sum += lane;
  for (; c < x.size(); ++c)
    sum += (x[c] - y[c]) * (x[c] - y[c]);
  return sum;
}

template <class T>
void grow(Matrix<T>& room, Index rows, Index cols) {
  if (room.rows() < rows || room.cols() != cols)
    room = Matrix<T>(rows, cols);
}

// φ of a row, where the kernel is an inner product of features.
template <class T>
void mapRow(Kernel kernel, std::span<T> row) {
  if (kernel == Kernel::Elu1)
    for (T& x : row)
      x = elu1(x);
  if (kernel == Kernel::Relu)
    for (T& x : row)
      x = std::max(x, T{0});
}

} // namespace

template <class T>
KernelTiles<T>::KernelTiles(Kernel kernel, MatrixView<const T> q, MatrixView<const T> k,
                            MatrixView<const T> v1)
    : kernel_(kernel), q_(q), k_(k), v1_(v1) {}

template <class T>
void KernelTiles<T>::add(const BlockRows& block, const Tile& tile, MatrixView<T> sums) {
  rows_ = tile.rowEnd - tile.rowBegin;
  grow(queries_, rows_, q_.cols);
  grow(values_, rows_, kPieceKeys);
  grow(out_, rows_, v1_.cols);
  for (Index r = 0; r < rows_; ++r) {
    const Index i = block.query(tile.rowBegin + r);
    std::copy_n(q_.row(i).data(), q_.cols, &queries_(r, 0));
    mapRow(kernel_, queries_.view().row(r));
    std::copy_n(sums.row(i).data(), v1_.cols, &out_(r, 0));
  }
  for (Index t = 0; t < tile.line.size();) {
    const KeyLine::Piece piece = tile.line.pieceAt(t, kPieceKeys);
    addPiece(tile, t, piece);
    t = piece.end;
  }
  for (Index r = 0; r < rows_; ++r)
    std::copy_n(&out_(r, 0), v1_.cols, sums.row(block.query(tile.rowBegin + r)).data());
}

template <class T>
MatrixView<const T> KernelTiles<T>::gathered(const KeyLine& line, Index begin, Index end,
                                             MatrixView<const T> from, Matrix<T>& room) {
  grow(room, kPieceKeys, from.cols);
  line.forEachRun(begin, end, [&](Index key, Index position, Index length) {
    for (Index r = 0; r < length; ++r)
      std::copy_n(from.row(key + r).data(), from.cols, &room(position - begin + r, 0));
  });
  return rowsOf(std::as_const(room).view(), 0, end - begin);
}

template <class T>
void KernelTiles<T>::addPiece(const Tile& tile, Index begin, const KeyLine::Piece& piece) {
  const Index count = piece.end - begin;
  evaluate(gathered(tile.line, begin, piece.end, k_, keys_));
  hide(tile, begin, piece.end);
  const MatrixView<const T> a{values_.data(), rows_, count, values_.cols()};
  multiply(a, gathered(tile.line, begin, piece.end, v1_, gathered_), rowsOf(out_.view(), 0, rows_),
           true);
}

template <class T>
void KernelTiles<T>::evaluate(MatrixView<const T> keys) {
  for (Index t = 0; t < keys.rows; ++t)
    mapRow(kernel_, keys_.view().row(t));
  if (kernel_ != Kernel::Gaussian)
    multiplyTransposed(rowsOf(std::as_const(queries_).view(), 0, rows_), keys,
                       {values_.data(), rows_, keys.rows, values_.cols()});
  if (kernel_ == Kernel::Softmax || kernel_ == Kernel::Gaussian)
    for (Index r = 0; r < rows_; ++r)
      evaluateRow(r, keys);
}

// exp of the scores of row r, or of the distances: a product would cancel where vectors are long.
template <class T>
void KernelTiles<T>::evaluateRow(Index r, MatrixView<const T> keys) {
  const T root = std::sqrt(static_cast<T>(q_.cols));
  T* const a = &values_(r, 0);
  if (kernel_ == Kernel::Gaussian) {
    const std::span<const T> x = std::as_const(queries_).view().row(r);
    for (Index t = 0; t < keys.rows; ++t)
      a[t] = -squaredDistance<T>(x, keys.row(t)) / (2 * root);
  } else {
    for (Index t = 0; t < keys.rows; ++t)
      a[t] /= root;
  }
  for (Index t = 0; t < keys.rows; ++t)
    a[t] = exponential(a[t]);
}

// Zero what a row does not see: products with zero also where A overflowed.
template <class T>
void KernelTiles<T>::hide(const Tile& tile, Index begin, Index end) {
  for (Index r = 0; r < rows_; ++r) {
    Index shown = begin; // everything before is done
    for (const Interval& seen : tile.row(r)) {
      if (seen.end <= begin || seen.begin >= end)
        continue;
      for (; shown < seen.begin; ++shown)
        values_(r, shown - begin) = T{0};
      shown = std::min(seen.end, end);
    }
    for (; shown < end; ++shown)
      values_(r, shown - begin) = T{0};
  }
}

template class KernelTiles<float>;
template class KernelTiles<double>;

} // namespace attention
