#include "core/attention/logit_keys.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

template <class T>
double lengthOf(std::span<const T> x, KeyNorm norm) {
  // Four sums side by side, so that additions overlap.
  std::array<double, 4> sums{};
  for (std::size_t c = 0; c < x.size(); ++c)
    sums[c % 4] += static_cast<double>(x[c]) * static_cast<double>(x[c]);
  const double squares = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (norm == KeyNorm::Unit)
    return std::max(std::sqrt(squares), 1e-12);
  return std::sqrt(squares / static_cast<double>(x.size()) + 1e-6);
}

} // namespace

template <class T>
LogitKeys<T>::LogitKeys(const KeyRule& rule, MatrixView<const T> q, MatrixView<const T> k)
    : given_(rule.fromQueries ? q : k) {
  if (rule.norm == KeyNorm::None)
    return;
  scaled_ = Matrix<T>(given_.rows, given_.cols);
  for (Index i = 0; i < given_.rows; ++i) {
    const double share = 1 / lengthOf(given_.row(i), rule.norm);
    for (Index c = 0; c < given_.cols; ++c)
      scaled_(i, c) = static_cast<T>(static_cast<double>(given_(i, c)) * share);
  }
}

template class LogitKeys<float>;
template class LogitKeys<double>;

} // namespace attention
