#include "core/attention/large_values.h"

#include "core/attention/vector_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attention {
namespace {

// 0 if no value is large enough for sums to overflow.
template <class T>
int exponentToSpare(MatrixView<const T> values) {
  const T bound = std::sqrt(std::numeric_limits<T>::max());
  T largest = 0;
  for (Index j = 0; j < values.rows; ++j)
    if (!allBelow<T>(values.row(j), bound))
      for (const T value : values.row(j))
        largest = std::max(largest, std::abs(value));
  return largest > bound ? std::ilogb(largest) : 0;
}

template <class T>
Matrix<T> scaledBy(int exponent, MatrixView<const T> values) {
  Matrix<T> scaled(values.rows, values.cols);
  for (Index j = 0; j < values.rows; ++j)
    for (Index c = 0; c < values.cols; ++c)
      scaled(j, c) = std::ldexp(values(j, c), exponent);
  return scaled;
}

template <class T>
void scaleRows(int exponent, MatrixView<T> out, std::vector<Index>& nonFinite) {
  for (Index i = 0; i < out.rows; ++i) {
    for (T& value : out.row(i))
      value = std::ldexp(value, exponent);
    if (!allFinite<T>(out.row(i)))
      nonFinite.push_back(i);
  }
  std::sort(nonFinite.begin(), nonFinite.end());
  nonFinite.erase(std::unique(nonFinite.begin(), nonFinite.end()), nonFinite.end());
}

} // namespace

HalvedValues::HalvedValues(MatrixView<const float> values, Index count)
    : halvings_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))) + 1),
      values_(values.rows, values.cols) {
  for (Index j = 0; j < values.rows; ++j)
    for (Index c = 0; c < values.cols; ++c)
      values_(j, c) = std::ldexp(values(j, c), -halvings_);
}

void HalvedValues::replaceOverflow(const Matrix<float>& means, MatrixView<float> out) const {
  for (Index c = 0; c < out.cols; ++c) {
    float least = values_(0, c);
    float most = least;
    for (Index j = 1; j < values_.rows(); ++j) {
      least = std::min(least, values_(j, c));
      most = std::max(most, values_(j, c));
    }
    least = std::ldexp(least, halvings_);
    most = std::ldexp(most, halvings_);
    for (Index i = 0; i < out.rows; ++i) {
      float& o = out(i, c);
      if (!std::isfinite(o))
        o = std::ldexp(means(i, c), halvings_); // may overflow by rounding
      if (o != 0)
        o = std::clamp(o, least, most);
    }
  }
}

template <class T>
KernelAttention<T>
attendToLarge(MatrixView<const T> values, MatrixView<T> out,
              const std::function<KernelAttention<T>(MatrixView<const T>)>& attend) {
  const int exponent = exponentToSpare(values);
  if (exponent == 0)
    return attend(values);
  const Matrix<T> smaller = scaledBy(-exponent, values);
  KernelAttention<T> result = attend(smaller.view());
  scaleRows(exponent, out.rows > 0 ? out : result.out.view(), result.nonFiniteRows);
  return result;
}

template KernelAttention<float>
attendToLarge(MatrixView<const float>, MatrixView<float>,
              const std::function<KernelAttention<float>(MatrixView<const float>)>&);
template KernelAttention<double>
attendToLarge(MatrixView<const double>, MatrixView<double>,
              const std::function<KernelAttention<double>(MatrixView<const double>)>&);

} // namespace attention
