#include "core/analysis/reach/rollout.h"

#include "core/support/error.h"

#include <Eigen/Core>
#include <string>

namespace attention {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void checkWeights(std::span<const Matrix<double>> weights, double residual) {
  if (weights.empty())
    throw Error(ErrorCode::Type, "weights", "weights are missing; allowed is one layer or more");
  const Index n = weights.front().rows();
  for (const Matrix<double>& layer : weights)
    if (layer.rows() != n || layer.cols() != n)
      throw Error(ErrorCode::Shape, "weights",
                  "a layer's weights are " + std::to_string(layer.rows()) + " × " +
                      std::to_string(layer.cols()) + "; allowed is " + std::to_string(n) + " × " +
                      std::to_string(n) + " in every layer");
  if (!(residual >= 0 && residual <= 1))
    throwRange("residual", std::to_string(residual), "a number from 0 to 1");
}

Rows mixed(const Matrix<double>& weights, double residual) {
  const Index n = weights.rows();
  Rows rows = Eigen::Map<const Rows>(weights.data(), n, n) * (1 - residual);
  for (Index i = 0; i < n; ++i) {
    rows(i, i) += residual;
    const double sum = rows.row(i).sum();
    if (sum > 0)
      rows.row(i) /= sum;
  }
  return rows;
}

} // namespace

Matrix<double> attentionRollout(std::span<const Matrix<double>> weights, double residual,
                                const Run& run) {
  checkWeights(weights, residual);
  const Index n = weights.front().rows();
  Rows rollout = Rows::Identity(n, n);
  for (std::size_t t = 0; t < weights.size(); ++t) {
    rollout = mixed(weights[t], residual) * rollout;
    run.report(static_cast<double>(t + 1) / static_cast<double>(weights.size()));
  }
  Matrix<double> result(n, n);
  Eigen::Map<Rows>(result.data(), n, n) = rollout;
  return result;
}

} // namespace attention
