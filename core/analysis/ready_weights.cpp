#include "core/analysis/ready_weights.h"

#include "core/analysis/entropy_sum.h"
#include "core/support/parallel.h"

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

// Calls visit(key) for the keys of row i within a span, in order.
template <class Visit>
void forEachKey(const Prepared& pattern, Index i, const KeySpan& span, const Visit& visit) {
  KeyRanges ranges;
  pattern.row(i, span, ranges);
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        visit(j);
    });
}

std::vector<Index> keysOf(const Prepared& pattern, Index i) {
  std::vector<Index> keys;
  forEachKey(pattern, i, {0, pattern.lengths().keys}, [&](Index j) { keys.push_back(j); });
  return keys;
}

template <class T>
double weightOn(const Prepared& pattern, const Matrix<T>& weights, Index i) {
  double sum = 0;
  forEachKey(pattern, i, {0, weights.cols()},
             [&](Index j) { sum += static_cast<double>(weights(i, j)); });
  return sum;
}

} // namespace

template <class T>
void cutRow(const Prepared& pattern, const Matrix<T>& weights, Index i, const KeySpan& span,
            std::span<T> row) {
  const double sum = weightOn(pattern, weights, i);
  if (sum > 0)
    forEachKey(pattern, i, span, [&](Index j) {
      row[static_cast<std::size_t>(j - span.begin)] =
          static_cast<T>(static_cast<double>(weights(i, j)) / sum);
    });
}

template <class T>
CapturedMass readyMass(const Matrix<T>& weights, const std::shared_ptr<const Prepared>& pattern,
                       const std::shared_ptr<const Prepared>& base, const Run& run) {
  const auto both = compose(Operation::Intersection, {pattern, base}, {"pattern", "base"});
  CapturedMass mass;
  mass.rows.resize(static_cast<std::size_t>(weights.rows()));
  parallelFor(weights.rows(), run.threads, run, [&](Index i) {
    const double all = weightOn(*base, weights, i);
    mass.rows[static_cast<std::size_t>(i)] =
        all > 0 ? std::min(weightOn(*both, weights, i) / all, 1.0) : 0.0;
  });
  mass.mean = std::accumulate(mass.rows.begin(), mass.rows.end(), 0.0) /
              static_cast<double>(std::max<std::size_t>(mass.rows.size(), 1));
  return mass;
}

ImpliedMatrix<double> cutWeights(const Matrix<double>& weights, const Prepared& pattern) {
  return {weights.rows(), weights.cols(), [&weights, &pattern](Index begin, Index end) {
            Matrix<double> rows(end - begin, weights.cols());
            for (Index i = begin; i < end; ++i)
              cutRow(pattern, weights, i, {0, weights.cols()}, rows.view().row(i - begin));
            return rows;
          }};
}

ReadyMeasures readyMeasures(const Matrix<double>& weights,
                            const std::shared_ptr<const Prepared>& pattern, const Base& base,
                            Index recallKeys, const Run& run) {
  const auto dense = baseOf(base, pattern->lengths());
  const auto kept = cutWeights(weights, *pattern);
  const auto whole = cutWeights(weights, *dense);
  ReadyMeasures made;
  made.capturedMass = readyMass(weights, pattern, dense, run.quiet()).mean;
  double found = 0;
  Index asked = 0; // queries with keys in the base
  for (Index i = 0; i < weights.rows(); ++i) {
    if (i % kRowsBetweenChecks == 0)
      run.report(static_cast<double>(i) / static_cast<double>(weights.rows()));
    const Matrix<double> all = whole.rowsAt(i, i + 1);
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
                                    [&](Index j) { return pattern->contains(i, j); });
    if (!largest.empty()) {
      found += static_cast<double>(hits) / static_cast<double>(largest.size());
      ++asked;
    }
  }
  const auto n = static_cast<double>(weights.rows());
  made.entropy /= n;
  made.recall = asked > 0 ? found / static_cast<double>(asked) : 1.0;
  return made;
}

template <class T>
Matrix<T> readyOutputs(const Matrix<T>& weights, const Prepared& pattern, MatrixView<const T> v,
                       const Run& run) {
  Matrix<T> out(weights.rows(), v.cols);
  parallelFor(weights.rows(), run.threads, run, [&](Index i) {
    std::vector<double> sums(static_cast<std::size_t>(v.cols));
    forEachKey(pattern, i, {0, weights.cols()}, [&](Index j) {
      const auto weight = static_cast<double>(weights(i, j));
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += weight * static_cast<double>(v(j, static_cast<Index>(c)));
    });
    if (const double all = weightOn(pattern, weights, i); all > 0)
      std::transform(sums.begin(), sums.end(), out.view().row(i).begin(),
                     [all](double sum) { return static_cast<T>(sum / all); });
  });
  return out;
}

template Matrix<float> readyOutputs(const Matrix<float>&, const Prepared&, MatrixView<const float>,
                                    const Run&);
template Matrix<double> readyOutputs(const Matrix<double>&, const Prepared&,
                                     MatrixView<const double>, const Run&);
template void cutRow(const Prepared&, const Matrix<float>&, Index, const KeySpan&,
                     std::span<float>);
template void cutRow(const Prepared&, const Matrix<double>&, Index, const KeySpan&,
                     std::span<double>);
template CapturedMass readyMass(const Matrix<float>&, const std::shared_ptr<const Prepared>&,
                                const std::shared_ptr<const Prepared>&, const Run&);
template CapturedMass readyMass(const Matrix<double>&, const std::shared_ptr<const Prepared>&,
                                const std::shared_ptr<const Prepared>&, const Run&);

} // namespace attention
