// Queries, keys, values and points that benchmarks run on: 64 columns of N(0, ¼).
#pragma once

#include "core/support/matrix.h"
#include "core/support/philox.h"

#include <cstdint>

namespace attention::bench {

constexpr Index kDimension = 64;

// Another matrix for each `sub`.
template <class T>
Matrix<T> normals(std::uint32_t sub, Index rows) {
  Matrix<T> m(rows, kDimension);
  for (Index x = 0; x < rows * kDimension; ++x)
    m.data()[x] = static_cast<T>(
        0.5 * philox::normal({1, philox::Purpose::Data, sub}, static_cast<std::uint64_t>(x)));
  return m;
}

} // namespace attention::bench
