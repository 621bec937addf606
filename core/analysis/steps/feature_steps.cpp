#include "core/analysis/steps/feature_steps.h"

#include "core/support/error.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace attention {
namespace {

// Row i of x times the factor.
Matrix<double> rowOf(MatrixView<const double> x, Index i, double factor) {
  Matrix<double> row(1, x.cols);
  for (Index c = 0; c < x.cols; ++c)
    row(0, c) = factor * x(i, c);
  return row;
}

// φ of single rows.
class Phi {
public:
  Phi(const StepsInput& input, const StepFeatures& features) : input_(input), features_(features) {
    if (features.map.scaled())
      factors_ = scaleFactors(input.options, input.q.cols);
  }

  std::vector<double> ofQuery() const {
    return of(rowOf(input_.q, input_.query, factors_.query), FeatureRole::Query);
  }
  std::vector<double> ofKey(Index j) const {
    return of(rowOf(input_.k, j, factors_.key), FeatureRole::Key);
  }

private:
  std::vector<double> of(const Matrix<double>& row, FeatureRole role) const {
    const auto source = featuresOf<double>(row.view(), features_.w, features_.map, role, 1);
    Matrix<double> phi(1, source.features);
    source.block(0, 1, phi.view());
    for (const double x : phi.values())
      if (!std::isfinite(x))
        throw Error(ErrorCode::NonFinite, "features",
                    "the features of query " + std::to_string(input_.query) +
                        " or of a key that it sees are not finite; they must be finite numbers "
                        "(smaller queries and keys)");
    return phi.values();
  }

  const StepsInput& input_;
  const StepFeatures& features_;
  ScaleFactors factors_;
};

// Modifiers of scores: feature maps have none, and random features approximate exp(q·k) without.
void checkScores(const StepsInput& input, const StepFeatures& features) {
  const AttendOptions& of = input.options;
  const bool random = features.map.scaled();
  const auto refuse = [&](const std::string& subject, const std::string& found) {
    throw Error(ErrorCode::Unsupported, subject,
                found +
                    (random ? " with random features, which approximate exp(q·k)"
                            : " with linear attention, which has no scores") +
                    "; it must be left out, or --by must be softmax or online");
  };
  if (of.softcap)
    refuse("softcap", "softcap is " + shortest(*of.softcap));
  if (!of.bias.none())
    refuse("bias", "a bias is given");
  if (of.sink)
    refuse("sink", "sink is " + shortest(*of.sink));
}

// Adds to S, z and the query's products with them.
void addKey(FeatureSteps& steps, const std::vector<double>& phi, std::span<const double> value) {
  const double a = std::inner_product(phi.begin(), phi.end(), steps.phiQ.begin(), 0.0);
  steps.kernel.push_back(a);
  steps.denominator += a;
  for (std::size_t c = 0; c < value.size(); ++c)
    steps.numerator[c] += a * value[c];
  for (std::size_t f = 0; f < phi.size(); ++f) {
    steps.total[f] += phi[f];
    for (std::size_t c = 0; c < value.size(); ++c)
      steps.state(static_cast<Index>(f), static_cast<Index>(c)) += phi[f] * value[c];
  }
}

// Means of large values do not overflow.
std::vector<double> meanOf(const FeatureSteps& steps, MatrixView<const double> v) {
  std::vector<double> mean(steps.numerator.size());
  for (std::size_t t = 0; steps.denominator != 0 && t < steps.visible.size(); ++t)
    for (std::size_t c = 0; c < mean.size(); ++c)
      mean[c] += steps.kernel[t] / steps.denominator * v(steps.visible[t], static_cast<Index>(c));
  return mean;
}

double orderGap(const FeatureSteps& steps) {
  std::vector<double> fromTheRight(steps.numerator.size());
  for (std::size_t f = 0; f < steps.phiQ.size(); ++f)
    for (std::size_t c = 0; c < fromTheRight.size(); ++c)
      fromTheRight[c] += steps.phiQ[f] * steps.state(static_cast<Index>(f), static_cast<Index>(c));
  return largestGap(fromTheRight, steps.numerator);
}

} // namespace

FeatureSteps featureSteps(const StepsInput& input, const StepFeatures& features) {
  checkScores(input, features);
  SoftmaxSteps softmax = softmaxSteps(input);
  const Phi phi(input, features);
  FeatureSteps steps;
  steps.visible = std::move(softmax.visible);
  steps.exact = std::move(softmax.output);
  steps.phiQ = phi.ofQuery();
  steps.numerator.resize(steps.exact.size());
  steps.total.resize(steps.phiQ.size());
  steps.state = Matrix<double>(static_cast<Index>(steps.phiQ.size()), input.v.cols);
  for (const Index j : steps.visible)
    addKey(steps, phi.ofKey(j), input.v.row(j));
  steps.divided = meanOf(steps, input.v);
  steps.output = features.normalized ? steps.divided : steps.numerator;
  steps.orderGap = orderGap(steps);
  return steps;
}

Matrix<double> blockMeans(const Matrix<double>& x, Index most) {
  Matrix<double> means(std::min(most, x.rows()), std::min(most, x.cols()));
  for (Index r = 0; r < means.rows(); ++r)
    for (Index c = 0; c < means.cols(); ++c) {
      const Index top = x.rows() * r / means.rows();
      const Index bottom = x.rows() * (r + 1) / means.rows();
      const Index left = x.cols() * c / means.cols();
      const Index right = x.cols() * (c + 1) / means.cols();
      for (Index i = top; i < bottom; ++i)
        for (Index j = left; j < right; ++j)
          means(r, c) += x(i, j);
      means(r, c) /= static_cast<double>((bottom - top) * (right - left));
    }
  return means;
}

RunningSums runningSums(const StepsInput& input, const StepFeatures& features,
                        std::span<const Index> keys, Index most) {
  const Phi phi(input, features);
  FeatureSteps steps;
  steps.phiQ = phi.ofQuery();
  const auto m = static_cast<Index>(steps.phiQ.size());
  steps.numerator.resize(static_cast<std::size_t>(input.v.cols));
  steps.total.resize(steps.phiQ.size());
  steps.state = Matrix<double>(m, input.v.cols);
  RunningSums sums{Matrix<double>(std::ssize(keys), m), {}};
  for (const Index j : softmaxSteps(input).visible) {
    const auto row = std::ssize(sums.state);
    if (row == std::ssize(keys))
      break;
    addKey(steps, phi.ofKey(j), input.v.row(j));
    if (keys[static_cast<std::size_t>(row)] != j)
      continue;
    std::copy(steps.total.begin(), steps.total.end(), sums.total.view().row(row).begin());
    sums.state.push_back(blockMeans(steps.state, most));
  }
  return sums;
}

Matrix<double> keyFeatures(const StepsInput& input, const StepFeatures& features,
                           std::span<const Index> keys) {
  const Phi phi(input, features);
  std::vector<double> rows;
  for (const Index j : keys) {
    const std::vector<double> row = phi.ofKey(j);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  const auto count = static_cast<Index>(keys.size());
  const Index width = count > 0 ? static_cast<Index>(rows.size()) / count : 0;
  return {count, width, std::move(rows)};
}

} // namespace attention
