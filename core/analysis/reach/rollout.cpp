#include "core/analysis/reach/rollout.h"

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/text.h"

#include <Eigen/Core>
#include <algorithm>
#include <string>
#include <utility>

namespace attention {
namespace {

// A block of rows is what a thread multiplies between two stop checks.
constexpr Index kRowsRolled = 64;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void checkLayer(const Matrix<double>& weights, Index n, double residual) {
  if (weights.rows() != n || weights.cols() != n)
    throw Error(ErrorCode::Shape, "weights",
                "a layer's weights are " + std::to_string(weights.rows()) + " × " +
                    std::to_string(weights.cols()) + "; it must be " + std::to_string(n) + " × " +
                    std::to_string(n) + " in every layer");
  if (!(residual >= 0 && residual <= 1))
    throwRange("residual", shortest(residual), "a number from 0 to 1");
}

// Rows [begin, end) of Ã.
void mixRows(Eigen::Map<Rows>& rows, Index begin, Index end, double residual) {
  for (Index i = begin; i < end; ++i) {
    rows.row(i) *= 1 - residual;
    rows(i, i) += residual;
    const double sum = rows.row(i).sum();
    if (sum > 0)
      rows.row(i) /= sum;
  }
}

} // namespace

Matrix<double> rolloutThrough(Matrix<double> weights, const Matrix<double>* below, double residual,
                              int threads, const Run& run) {
  const Index n = below ? below->rows() : weights.rows();
  checkLayer(weights, n, residual);
  Matrix<double> result(below ? n : 0, below ? n : 0);
  Eigen::Map<Rows> layer(weights.data(), n, n);
  parallelFor(ceilDiv(n, kRowsRolled), threads, run, [&](Index chunk) {
    const Index begin = chunk * kRowsRolled;
    const Index rows = std::min(kRowsRolled, n - begin);
    mixRows(layer, begin, begin + rows, residual);
    if (below)
      Eigen::Map<Rows>(result.data(), n, n).middleRows(begin, rows).noalias() =
          layer.middleRows(begin, rows) * Eigen::Map<const Rows>(below->data(), n, n);
  });
  return below ? std::move(result) : std::move(weights);
}

Matrix<double> attentionRollout(std::span<const Matrix<double>> weights, double residual,
                                int threads, const Run& run) {
  if (weights.empty())
    throw Error(ErrorCode::Type, "weights", "weights are missing; give at least one layer");
  for (const Matrix<double>& layer : weights)
    checkLayer(layer, weights.front().rows(), residual);
  Matrix<double> rollout;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const Run step = stepOf(run, static_cast<Index>(t), static_cast<Index>(weights.size()));
    rollout = rolloutThrough(weights[t], t > 0 ? &rollout : nullptr, residual, threads, step);
  }
  return rollout;
}

} // namespace attention
