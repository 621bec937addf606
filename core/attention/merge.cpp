#include "core/attention/merge.h"

#include "core/support/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

namespace attention {

template <class T>
T mergeRow(std::span<T> out, T lse, std::span<const T> other, T otherLse) {
  constexpr T kMinusInfinity = -std::numeric_limits<T>::infinity();
  assert(out.size() == other.size());
  if (lse == kMinusInfinity && otherLse == kMinusInfinity) {
    std::fill(out.begin(), out.end(), T(0)); // an empty row, whatever the parts hold
    return lse;
  }
  if (otherLse == kMinusInfinity)
    return lse;
  if (lse == kMinusInfinity) {
    std::copy(other.begin(), other.end(), out.begin());
    return otherLse;
  }
  const T maximum = std::max(lse, otherLse);
  const T a = std::exp(lse - maximum);
  const T b = std::exp(otherLse - maximum);
  for (std::size_t c = 0; c < out.size(); ++c)
    out[c] = a / (a + b) * out[c] + b / (a + b) * other[c];
  return maximum + std::log(a + b);
}

template <class T>
Attention<T> merge(Attention<T> a, const Attention<T>& b) {
  if (a.out.rows() != b.out.rows() || a.out.cols() != b.out.cols())
    throw Error(ErrorCode::Shape, "out",
                "out is " + std::to_string(a.out.rows()) + " × " + std::to_string(a.out.cols()) +
                    " and " + std::to_string(b.out.rows()) + " × " + std::to_string(b.out.cols()) +
                    "; their shapes must be equal");
  const MatrixView<T> out = a.out.view();
  for (Index i = 0; i < a.out.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    a.lse[k] = mergeRow<T>(out.row(i), a.lse[k], b.out.view().row(i), b.lse[k]);
  }
  std::vector<Index> empty;
  std::set_intersection(a.emptyRows.begin(), a.emptyRows.end(), b.emptyRows.begin(),
                        b.emptyRows.end(), std::back_inserter(empty));
  a.emptyRows = std::move(empty);
  return a;
}

template float mergeRow(std::span<float>, float, std::span<const float>, float);
template double mergeRow(std::span<double>, double, std::span<const double>, double);
template Attention<float> merge(Attention<float>, const Attention<float>&);
template Attention<double> merge(Attention<double>, const Attention<double>&);

} // namespace attention
