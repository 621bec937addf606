#include "core/attention/implied_matrix.h"

#include "core/attention/dense_softmax.h"
#include "core/attention/weights.h"
#include "core/support/error.h"
#include "core/support/products.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attention {
namespace {

template <class T>
std::vector<double> widened(std::span<const T> x) {
  return {x.begin(), x.end()};
}

// Row i of A by `value(j)` for the keys that it sees, divided by its sum where normalised.
template <class T, class Value>
void fillRow(const Prepared& pattern, Index i, std::span<T> row, bool normalized, Value value) {
  KeyRanges ranges;
  pattern.row(i, ranges);
  double sum = 0;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j) {
        const double a = value(j);
        sum += a;
        row[static_cast<std::size_t>(j)] = static_cast<T>(a);
      }
    });
  if (normalized && sum != 0)
    for (T& a : row)
      a = static_cast<T>(static_cast<double>(a) / sum);
}

// The same by exp(score(j) − maximum).
template <class T, class Score>
void fillSoftmaxRow(const Prepared& pattern, Index i, std::span<T> row, Score score) {
  KeyRanges ranges;
  pattern.row(i, ranges);
  double most = -std::numeric_limits<double>::infinity();
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j)
        most = std::max(most, score(j));
    });
  if (!ranges.empty() && !std::isfinite(most))
    throw Error(ErrorCode::NonFinite, "scores",
                "the scores of query " + std::to_string(i) +
                    " are beyond float64; they must be at most 1.8·10³⁰⁸");
  fillRow(pattern, i, row, true, [&](Index j) { return std::exp(score(j) - most); });
}

template <class T>
double dot(std::span<const T> a, std::span<const T> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

template <class T>
void normaliseRow(std::span<T> row) {
  T sum = 0;
  for (const T a : row)
    sum += a;
  for (T& a : row)
    a = sum == 0 ? T{0} : a / sum;
}

} // namespace

template <class T>
ImpliedMatrix<T> impliedByPattern(const Prepared& pattern, MatrixView<const T> q,
                                  MatrixView<const T> k, const AttendOptions& options) {
  const Scoring scoring = scoringOf(options, q.cols, pattern.lengths());
  if (pattern.outputs() != Outputs{} || pattern.branches() || scoring.sink)
    // several softmaxes, or other keys
    return {
        q.rows, k.rows,
        [&pattern, q, k, scoring, lse = logSumExp<T>(pattern, q, k, options)](Index begin,
                                                                              Index end) {
          return weightsOf(WeightSource<T>{pattern, q, k, lse, scoring}, {begin, end, 0, k.rows});
        }};
  return {q.rows, k.rows, [&pattern, q, k, scoring](Index begin, Index end) {
            Matrix<T> rows(end - begin, k.rows);
            for (Index i = begin; i < end; ++i)
              fillSoftmaxRow(pattern, i, rows.view().row(i - begin),
                             [&](Index j) { return scoring(dot<T>(q.row(i), k.row(j)), i, j); });
            return rows;
          }};
}

template <class T>
ImpliedMatrix<T> impliedByKernel(const Prepared& pattern, MatrixView<const T> q,
                                 MatrixView<const T> k, const KernelOptions& options) {
  if (options.kernel == Kernel::Softmax && options.normalized)
    return impliedByPattern(pattern, q, k);
  return {q.rows, k.rows, [&pattern, q, k, options](Index begin, Index end) {
            Matrix<T> rows(end - begin, k.rows);
            for (Index i = begin; i < end; ++i) {
              const std::vector<double> x = widened<T>(q.row(i));
              fillRow(pattern, i, rows.view().row(i - begin), options.normalized, [&](Index j) {
                return kernelValue(options.kernel, x, widened<T>(k.row(j)));
              });
            }
            return rows;
          }};
}

template <class T>
ImpliedMatrix<T> impliedByFeatures(const FeatureSource<T>& q, const FeatureSource<T>& k,
                                   const LinearOptions& options) {
  const auto keys = std::make_shared<const Matrix<T>>(featureMatrix(k, options.threads));
  return {q.rows, k.rows, [q, keys, options](Index begin, Index end) {
            Matrix<T> queries(end - begin, q.features);
            q.block(begin, end, queries.view());
            Matrix<T> rows(end - begin, keys->rows());
            multiplyTransposed(std::as_const(queries).view(), keys->view(), rows.view());
            for (Index i = begin; i < end; ++i) {
              const std::span<T> row = rows.view().row(i - begin);
              if (options.causal && i + 1 < keys->rows())
                std::fill(row.begin() + i + 1, row.end(), T{0});
              if (options.normalized)
                normaliseRow(row);
            }
            return rows;
          }};
}

template <class T>
ImpliedMatrix<T> impliedByLinformer(MatrixView<const T> q, MatrixView<const T> projectedKeys,
                                    MatrixView<const T> f, const Scoring& scoring) {
  return {q.rows, f.cols, [q, projectedKeys, f, scoring](Index begin, Index end) {
            const Matrix<T> p = denseSoftmaxRows(q, projectedKeys, scoring, begin, end);
            Matrix<T> rows(end - begin, f.cols);
            multiply(p.view(), f, rows.view());
            return rows;
          }};
}

template ImpliedMatrix<float> impliedByPattern(const Prepared&, MatrixView<const float>,
                                               MatrixView<const float>, const AttendOptions&);
template ImpliedMatrix<double> impliedByPattern(const Prepared&, MatrixView<const double>,
                                                MatrixView<const double>, const AttendOptions&);
template ImpliedMatrix<float> impliedByKernel(const Prepared&, MatrixView<const float>,
                                              MatrixView<const float>, const KernelOptions&);
template ImpliedMatrix<double> impliedByKernel(const Prepared&, MatrixView<const double>,
                                               MatrixView<const double>, const KernelOptions&);
template ImpliedMatrix<float> impliedByFeatures(const FeatureSource<float>&,
                                                const FeatureSource<float>&, const LinearOptions&);
template ImpliedMatrix<double>
impliedByFeatures(const FeatureSource<double>&, const FeatureSource<double>&, const LinearOptions&);
template ImpliedMatrix<float> impliedByLinformer(MatrixView<const float>, MatrixView<const float>,
                                                 MatrixView<const float>, const Scoring&);
template ImpliedMatrix<double> impliedByLinformer(MatrixView<const double>,
                                                  MatrixView<const double>,
                                                  MatrixView<const double>, const Scoring&);

} // namespace attention
