#include "core/attention/normalized_rows.h"

#include <algorithm>
#include <cmath>

namespace attention {

template <class T>
std::vector<Index> KernelAttention<T>::flagged() const {
  std::vector<Index> all;
  for (const auto* rows : {&zeroRows, &negativeRows, &nonFiniteRows})
    all.insert(all.end(), rows->begin(), rows->end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class T>
KernelAttention<T> finishRows(const Matrix<T>& sums, bool normalized) {
  const Index dv = sums.cols() - 1;
  KernelAttention<T> result;
  result.out = Matrix<T>(sums.rows(), dv);
  result.denominators.resize(static_cast<std::size_t>(sums.rows()));
  for (Index i = 0; i < sums.rows(); ++i) {
    const T d = sums(i, dv);
    result.denominators[static_cast<std::size_t>(i)] = d;
    if (normalized && d == 0)
      result.zeroRows.push_back(i);
    if (normalized && d < 0)
      result.negativeRows.push_back(i);
    bool finite = std::isfinite(d);
    for (Index c = 0; c < dv; ++c) {
      T& out = result.out(i, c);
      out = normalized ? (d == 0 ? T{0} : sums(i, c) / d) : sums(i, c);
      finite = finite && std::isfinite(out);
    }
    if (!finite)
      result.nonFiniteRows.push_back(i);
  }
  return result;
}

template <class T>
Matrix<T> withOnes(MatrixView<const T> v) {
  Matrix<T> extended(v.rows, v.cols + 1);
  for (Index j = 0; j < v.rows; ++j) {
    for (Index c = 0; c < v.cols; ++c)
      extended(j, c) = v(j, c);
    extended(j, v.cols) = T{1};
  }
  return extended;
}

template struct KernelAttention<float>;
template struct KernelAttention<double>;
template KernelAttention<float> finishRows(const Matrix<float>&, bool);
template KernelAttention<double> finishRows(const Matrix<double>&, bool);
template Matrix<float> withOnes(MatrixView<const float>);
template Matrix<double> withOnes(MatrixView<const double>);

} // namespace attention
