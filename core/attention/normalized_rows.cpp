#include "core/attention/normalized_rows.h"

#include "core/attention/vector_rows.h"

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
bool finishRow(std::span<T> row, T d, bool normalized) {
  if (normalized && d == 0)
    std::fill(row.begin(), row.end(), T{0});
  else if (normalized)
    divideRow(row, d);
  return std::isfinite(d) && allFinite<T>(row);
}

template <class T>
void flagRows(KernelAttention<T>& result, bool normalized, const std::vector<char>& finite) {
  for (std::size_t r = 0; r < finite.size(); ++r) {
    const auto i = static_cast<Index>(r);
    const T d = result.denominators[r];
    if (normalized && d == 0)
      result.zeroRows.push_back(i);
    if (normalized && d < 0)
      result.negativeRows.push_back(i);
    if (finite[r] == 0)
      result.nonFiniteRows.push_back(i);
  }
}

template <class T>
KernelAttention<T> finishRows(const Matrix<T>& sums, bool normalized) {
  const Index dv = sums.cols() - 1;
  KernelAttention<T> result;
  result.out = Matrix<T>(sums.rows(), dv);
  std::vector<char> finite;
  for (Index i = 0; i < sums.rows(); ++i) {
    const std::span<T> row = result.out.view().row(i);
    std::copy_n(sums.view().row(i).data(), dv, row.data());
    result.denominators.push_back(sums(i, dv));
    finite.push_back(finishRow(row, sums(i, dv), normalized) ? 1 : 0);
  }
  flagRows(result, normalized, finite);
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
template bool finishRow(std::span<float>, float, bool);
template void flagRows(KernelAttention<float>&, bool, const std::vector<char>&);
template struct KernelAttention<double>;
template bool finishRow(std::span<double>, double, bool);
template void flagRows(KernelAttention<double>&, bool, const std::vector<char>&);
template KernelAttention<float> finishRows(const Matrix<float>&, bool);
template KernelAttention<double> finishRows(const Matrix<double>&, bool);
template Matrix<float> withOnes(MatrixView<const float>);
template Matrix<double> withOnes(MatrixView<const double>);

} // namespace attention
