#include "bench/eigen_twin.h"

#include <Eigen/Core>

#include <cmath>
#include <limits>

namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const RowMajor>;

} // namespace

void eigen_attention(const float* q, const float* k, const float* v, int64_t n, int64_t d,
                     int32_t causal, float* out) {
  const float scale = 1 / std::sqrt(static_cast<float>(d));
  RowMajor weights = scale * (Input(q, n, d) * Input(k, n, d).transpose());
  for (int64_t i = 0; causal != 0 && i < n; ++i)
    weights.row(i).tail(n - 1 - i).setConstant(-std::numeric_limits<float>::infinity());
  weights = (weights.colwise() - weights.rowwise().maxCoeff()).array().exp();
  weights.array().colwise() /= weights.rowwise().sum().eval().array();
  Eigen::Map<RowMajor>(out, n, d).noalias() = weights * Input(v, n, d);
}
