// Random inputs for attention tests: normal numbers from the project's generator.
#pragma once

#include "core/support/matrix.h"
#include "core/support/philox.h"

namespace attention {

// rows × cols numbers of N(0, sigma²); `sub` tells Q, K and V of one seed apart.
template <class T>
Matrix<T> randomMatrix(Index rows, Index cols, std::uint64_t seed, std::uint32_t sub,
                       double sigma = 1) {
  const philox::Stream stream{seed, philox::Purpose::Data, sub};
  Matrix<T> m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < cols; ++c)
      m(i, c) =
          static_cast<T>(sigma * philox::normal(stream, static_cast<std::uint64_t>(i * cols + c)));
  return m;
}

// The same numbers in double precision.
template <class T>
Matrix<double> widened(const Matrix<T>& m) {
  return {m.rows(), m.cols(), std::vector<double>(m.values().begin(), m.values().end())};
}

template <class T>
struct RandomQkv {
  Matrix<T> q;
  Matrix<T> k;
  Matrix<T> v;

  RandomQkv(Index queries, Index keys, Index d, Index dv, std::uint64_t seed, double sigma = 1)
      : q(randomMatrix<T>(queries, d, seed, 0, sigma)), k(randomMatrix<T>(keys, d, seed, 1, sigma)),
        v(randomMatrix<T>(keys, dv, seed, 2)) {}
  MatrixView<const T> qView() const { return q.view(); }
  MatrixView<const T> kView() const { return k.view(); }
  MatrixView<const T> vView() const { return v.view(); }
};

} // namespace attention
