#include "core/analysis/ready_weights.h"

#include "core/analysis/entropy_sum.h"

#include <algorithm>
#include <numeric>

namespace attention {
namespace {

constexpr Index kRowsBetweenChecks = 64;

// The k of the keys with the largest weights, ties to the smaller key.
std::vector<Index> largestOf(std::span<const double> weights, const std::vector<Index>& keys,
                             Index k) {
  std::vector<Index> order = keys;
  const auto kept = order.begin() + std::min<std::ptrdiff_t>(k, std::ssize(order));
  std::partial_sort(order.begin(), kept, order.end(), [&](Index a, Index b) {
    const double x = weights[static_cast<std::size_t>(a)];
    const double y = weights[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  });
  order.erase(kept, order.end());
  return order;
}

std::vector<Index> keysOf(const Prepared& pattern, Index i) {
  KeyRanges ranges;
  pattern.row(i, ranges);
  std::vector<Index> keys;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        keys.push_back(j);
    });
  return keys;
}

} // namespace

ImpliedMatrix<double> cutWeights(const Matrix<double>& weights, const Prepared& pattern) {
  return {weights.rows(), weights.cols(), [&weights, &pattern](Index begin, Index end) {
            Matrix<double> rows(end - begin, weights.cols());
            for (Index i = begin; i < end; ++i) {
              double sum = 0;
              for (const Index j : keysOf(pattern, i))
                sum += rows(i - begin, j) = weights(i, j);
              if (sum > 0)
                for (double& x : rows.view().row(i - begin))
                  x /= sum;
            }
            return rows;
          }};
}

ReadyMeasures readyMeasures(const Matrix<double>& weights, const Prepared& pattern, Base base,
                            Index recallKeys, const Run& run) {
  const auto dense = baseOf(base, pattern.lengths());
  const auto kept = cutWeights(weights, pattern);
  const auto whole = cutWeights(weights, *dense);
  ReadyMeasures made;
  double found = 0;
  Index asked = 0; // queries with keys in the base
  for (Index i = 0; i < weights.rows(); ++i) {
    if (i % kRowsBetweenChecks == 0)
      run.report(static_cast<double>(i) / static_cast<double>(weights.rows()));
    const std::vector<Index> keys = keysOf(pattern, i);
    const Matrix<double> all = whole.rowsAt(i, i + 1);
    for (const Index j : keys)
      made.capturedMass += all(0, j);
    EntropySum entropy;
    double sum = 0;
    const Matrix<double> row = kept.rowsAt(i, i + 1);
    for (const double p : row.values()) {
      entropy.add(p);
      sum += p;
    }
    made.entropy += entropy.entropy();
    if (sum == 0)
      made.emptyRows.push_back(i);
    const auto largest = largestOf(all.view().row(0), keysOf(*dense, i), recallKeys);
    const auto hits = std::count_if(largest.begin(), largest.end(),
                                    [&](Index j) { return pattern.contains(i, j); });
    if (!largest.empty()) {
      found += static_cast<double>(hits) / static_cast<double>(largest.size());
      ++asked;
    }
  }
  const auto n = static_cast<double>(weights.rows());
  made.capturedMass /= n;
  made.entropy /= n;
  made.recall = asked > 0 ? found / static_cast<double>(asked) : 1.0;
  return made;
}

Matrix<double> readyOutputs(const Matrix<double>& weights, const Prepared& pattern,
                            MatrixView<const double> v, const Run& run) {
  const auto kept = cutWeights(weights, pattern);
  Matrix<double> out(weights.rows(), v.cols);
  for (Index i = 0; i < weights.rows(); ++i) {
    if (i % kRowsBetweenChecks == 0)
      run.report(static_cast<double>(i) / static_cast<double>(weights.rows()));
    const Matrix<double> row = kept.rowsAt(i, i + 1);
    for (Index j = 0; j < weights.cols(); ++j)
      if (row(0, j) != 0)
        for (Index c = 0; c < v.cols; ++c)
          out(i, c) += row(0, j) * v(j, c);
  }
  return out;
}

} // namespace attention
