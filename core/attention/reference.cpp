#include "core/attention/reference.h"

#include "core/support/parallel.h"

#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

struct Score {
  Index key = 0;
  double value = 0;
};

// Row i of S3.1; returns lse_i. `scores` is room to work.
double attendRow(const KeyRanges& ranges, std::span<const double> q, MatrixView<const double> k,
                 MatrixView<const double> v, double scale, std::vector<Score>& scores,
                 std::span<double> out) {
  scores.clear();
  double maximum = kMinusInfinity;
  for (const KeyRange& range : ranges)
    forEachRun(range, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j) {
        scores.push_back({j, scale * dot(q, k.row(j))});
        maximum = std::max(maximum, scores.back().value);
      }
    });
  if (scores.empty())
    return kMinusInfinity;
  double sum = 0;
  for (const Score& score : scores) {
    const double p = std::exp(score.value - maximum);
    sum += p;
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] += p * v(score.key, static_cast<Index>(c));
  }
  for (double& o : out)
    o /= sum;
  return maximum + std::log(sum);
}

} // namespace

Attention<double> attendReference(const Prepared& pattern, MatrixView<const double> q,
                                  MatrixView<const double> k, MatrixView<const double> v,
                                  const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const double scale = scaleOf(options, q.cols);
  constexpr Index kRows = 8; // a chunk
  Attention<double> result{
      Matrix<double>(q.rows, v.cols), std::vector<double>(static_cast<std::size_t>(q.rows)), {}};
  const MatrixView<double> out = result.out.view();
  parallelFor(ceilDiv(q.rows, kRows), options.threads, run, [&](Index chunk) {
    KeyRanges ranges;
    std::vector<Score> scores;
    for (Index i = chunk * kRows; i < std::min(q.rows, (chunk + 1) * kRows); ++i) {
      pattern.row(i, ranges);
      result.lse[static_cast<std::size_t>(i)] =
          attendRow(ranges, q.row(i), k, v, scale, scores, out.row(i));
    }
  });
  for (Index i = 0; i < q.rows; ++i)
    if (result.lse[static_cast<std::size_t>(i)] == kMinusInfinity)
      result.emptyRows.push_back(i);
  return result;
}

} // namespace attention
