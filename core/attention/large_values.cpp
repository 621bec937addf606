#include "core/attention/large_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attention {

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
        o = std::ldexp(means(i, c), halvings_); // perhaps beyond the floats by its rounding
      if (o != 0)
        o = std::clamp(o, least, most);
    }
  }
}

} // namespace attention
