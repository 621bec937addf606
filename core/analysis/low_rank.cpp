#include "core/analysis/low_rank.h"

#include "core/attention/vector_rows.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

constexpr Index kBlock = 64;

// The scores that row begin + r shows; all others become zero.
std::span<double> shownScores(std::span<double> row, Index query, const Scoring& scoring,
                              bool causal) {
  const std::size_t seen =
      causal ? std::min(static_cast<std::size_t>(query) + 1, row.size()) : row.size();
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(seen), row.end(), 0.0);
  const std::span<double> shown = row.first(seen);
  scoreProducts(shown, scoring, query, 0);
  return shown;
}

// exp of scores over j ≤ i, or over all.
void exponentials(Matrix<double>& rows, const Scoring& scoring, Index begin, bool causal) {
  for (Index r = 0; r < rows.rows(); ++r) {
    const std::span<double> shown = shownScores(rows.view().row(r), begin + r, scoring, causal);
    exponentiate<double>(shown, {});
    const auto finite = [](double a) { return std::isfinite(a); };
    if (const auto at = std::find_if_not(shown.begin(), shown.end(), finite); at != shown.end())
      throw Error(ErrorCode::NonFinite, "A",
                  "exp(s) overflows at row " + std::to_string(begin + r) + ", column " +
                      std::to_string(at - shown.begin()) + "; the softmax of the rows does not");
  }
}

// Softmax of scores over j ≤ i, or over all.
void softmax(Matrix<double>& rows, const Scoring& scoring, Index begin, bool causal) {
  for (Index r = 0; r < rows.rows(); ++r) {
    const std::span<double> shown = shownScores(rows.view().row(r), begin + r, scoring, causal);
    const double sink = scoring.sink.value_or(-std::numeric_limits<double>::infinity());
    const double most = std::max(largestOf<double>(shown), sink);
    exponentiate<double>(shown, {0, most});
    divideRow(shown, sumOfRow<double>(shown) + std::exp(sink - most));
  }
}

} // namespace

std::string_view name(LowRankObject object) {
  return object == LowRankObject::Softmax ? "softmax" : "exp";
}

LowRankObject lowRankObjectNamed(std::string_view name) {
  if (name == "softmax")
    return LowRankObject::Softmax;
  if (name == "exp")
    return LowRankObject::Exponentials;
  throwRange("matrix", "\"" + std::string(name) + "\"", "softmax or exp");
}

ImpliedMatrix<double> attentionRows(MatrixView<const double> q, MatrixView<const double> k,
                                    const Scoring& scoring, LowRankObject object, bool causal) {
  return {q.rows, k.rows, [=](Index begin, Index end) {
            Matrix<double> rows(end - begin, k.rows);
            multiplyTransposed(rowsOf(q, begin, end), k, rows.view());
            if (object == LowRankObject::Softmax)
              softmax(rows, scoring, begin, causal);
            else
              exponentials(rows, scoring, begin, causal);
            return rows;
          }};
}

Matrix<double> wholeMatrix(const ImpliedMatrix<double>& matrix, int threads, const Run& run) {
  Matrix<double> whole(matrix.rows, matrix.cols);
  parallelFor(ceilDiv(matrix.rows, kBlock), threads, run, [&](Index b) {
    const Index begin = b * kBlock;
    const Matrix<double> rows = matrix.rowsAt(begin, std::min(begin + kBlock, matrix.rows));
    std::copy(rows.values().begin(), rows.values().end(), whole.data() + begin * matrix.cols);
  });
  return whole;
}

Matrix<double> bestApproximation(const Svd& of, Index m) {
  const Index terms = std::min(m, static_cast<Index>(of.values.size()));
  Matrix<double> a(of.u.rows(), of.v.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j)
      for (Index t = 0; t < terms; ++t)
        a(i, j) += of.values[static_cast<std::size_t>(t)] * of.u(i, t) * of.v(j, t);
  return a;
}

RankErrors rankErrors(std::span<const double> values) {
  RankErrors errors{std::vector<double>(values.size() + 1), {values.begin(), values.end()}};
  errors.spectral.push_back(0);
  double squares = 0; // smallest first, so that none is lost
  for (std::size_t m = values.size(); m > 0; --m) {
    squares += values[m - 1] * values[m - 1];
    errors.frobenius[m - 1] = std::sqrt(squares);
  }
  return errors;
}

Index numericalRank(std::span<const double> values, double relative) {
  return static_cast<Index>(std::count_if(values.begin(), values.end(),
                                          [&](double x) { return x > relative * values.front(); }));
}

double RandomizedSpectrum::least(Index m) const {
  double squares = 0;
  for (std::size_t t = values.size(); t > static_cast<std::size_t>(m); --t)
    squares += values[t - 1] * values[t - 1];
  return std::sqrt(squares);
}

double RandomizedSpectrum::most(Index m) const {
  return std::hypot(least(m), residual);
}

} // namespace attention
