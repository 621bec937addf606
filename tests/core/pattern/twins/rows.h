// Rows of numbers as the twins of data-dependent mechanisms read them.
#pragma once

#include "core/support/matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace attention::twins {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

inline Rows rowsOf(const Matrix<double>& m) {
  Rows rows;
  for (Index i = 0; i < m.rows(); ++i) {
    rows.emplace_back();
    for (Index c = 0; c < m.cols(); ++c)
      rows.back().push_back(m(i, c));
  }
  return rows;
}

inline double dot(const Row& a, const Row& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline Row unit(Row row) {
  const double length = std::sqrt(dot(row, row));
  for (double& x : row)
    x = length > 0 ? x / length : 0;
  return row;
}

// The indices of the k largest scores; ties go to the smaller index.
inline std::vector<std::size_t> largest(const Row& scores, Index k) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
  return order;
}

} // namespace attention::twins
