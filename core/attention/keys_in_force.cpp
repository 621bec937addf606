#include "core/attention/keys_in_force.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

template <class T>
double lengthOf(std::span<const T> x, KeyNorm norm) {
  double squares = 0;
  for (const T value : x)
    squares += static_cast<double>(value) * static_cast<double>(value);
  if (norm == KeyNorm::Unit)
    return std::max(std::sqrt(squares), 1e-12);
  return std::sqrt(squares / static_cast<double>(x.size()) + 1e-6);
}

} // namespace

template <class T>
KeysInForce<T>::KeysInForce(const KeyRule& rule, MatrixView<const T> q, MatrixView<const T> k)
    : given_(rule.fromQueries ? q : k) {
  if (rule.norm == KeyNorm::None)
    return;
  scaled_ = Matrix<T>(given_.rows, given_.cols);
  for (Index i = 0; i < given_.rows; ++i) {
    const double length = lengthOf(given_.row(i), rule.norm);
    for (Index c = 0; c < given_.cols; ++c)
      scaled_(i, c) = static_cast<T>(static_cast<double>(given_(i, c)) / length);
  }
}

template class KeysInForce<float>;
template class KeysInForce<double>;

} // namespace attention
