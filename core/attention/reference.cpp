#include "core/attention/reference.h"

#include "core/attention/branches.h"
#include "core/attention/logit_keys.h"
#include "core/attention/merge.h"
#include "core/attention/part_rows.h"
#include "core/attention/sink.h"
#include "core/support/error.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace attention {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

// A key and its logit.
struct Logit {
  Index key = 0;
  double value = 0;
};

// Softmax over the logits; returns lse. Without logits `out` stays unchanged.
double softmaxRow(const std::vector<Logit>& scores, MatrixView<const double> v,
                  std::span<double> out) {
  if (scores.empty())
    return kMinusInfinity;
  double maximum = kMinusInfinity;
  for (const Logit& score : scores)
    maximum = std::max(maximum, score.value);
  double sum = 0;
  for (const Logit& score : scores)
    sum += std::exp(score.value - maximum);
  for (const Logit& score : scores) { // weights that sum to 1: no mean overflows
    const double p = std::exp(score.value - maximum) / sum;
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] += p * v(score.key, static_cast<Index>(c));
  }
  return maximum + std::log(sum);
}

// One query after another: its parts' logits, one softmax per part, and how they combine.
class Twin {
public:
  Twin(const Prepared& pattern, MatrixView<const double> q, MatrixView<const double> k,
       MatrixView<const double> v, const Scoring& scoring)
      : rows_(pattern), q_(q), k_(k), v_(v), scoring_(scoring),
        partOut_(static_cast<std::size_t>(v.cols)) {}

  // Row i of S3.1, and S6.7 where there are several softmaxes; returns lse_i.
  double attendRow(Index i, std::span<double> out) {
    double lse = kMinusInfinity;
    double visible = 0; // parts with a key
    for (std::size_t part = 0; part < rows_.parts(); ++part) {
      std::fill(partOut_.begin(), partOut_.end(), 0.0);
      const double partLse = softmaxRow(logits(part, i), v_, partOut_);
      visible += partLse > kMinusInfinity ? 1 : 0;
      if (rows_.combine() != Combine::Mean)
        lse = mergeRow<double>(out, lse, partOut_, partLse);
      else {
        lse = mergeRow<double>({}, lse, {}, partLse);
        std::transform(out.begin(), out.end(), partOut_.begin(), out.begin(), std::plus<>());
      }
    }
    if (rows_.combine() == Combine::Mean && visible > 0)
      for (double& o : out)
        o /= visible;
    return lse;
  }

private:
  const std::vector<Logit>& logits(std::size_t part, Index i) {
    scores_.clear();
    if (rows_.lone(part, i))
      scores_.push_back({i, rows_.loneLogit()});
    for (std::size_t layer = 0; layer < rows_.layers(part); ++layer) {
      rows_.row(part, layer, i, ranges_);
      for (const KeyRange& range : ranges_)
        forEachRun(range, [&](Index begin, Index end) {
          for (Index j = begin; j < end; ++j)
            scores_.push_back({j, scoring_(dot(q_.row(i), k_.row(j)), i, j)});
        });
    }
    return scores_;
  }

  PartRows rows_;
  MatrixView<const double> q_;
  MatrixView<const double> k_;
  MatrixView<const double> v_;
  Scoring scoring_;
  std::vector<double> partOut_;
  std::vector<Logit> scores_;
  KeyRanges ranges_;
};

} // namespace

Attention<double> attendReference(const Prepared& pattern, MatrixView<const double> q,
                                  MatrixView<const double> k, MatrixView<const double> v,
                                  const AttendOptions& options, const Run& run) {
  checkInput(pattern.lengths(), q, k, v);
  const Scoring scoring = scoringOf(options, q.cols, pattern.lengths());
  constexpr Index kRows = 8; // a chunk
  Attention<double> result{Matrix<double>(q.rows, v.cols),
                           std::vector<double>(static_cast<std::size_t>(q.rows)),
                           {},
                           {}};
  const MatrixView<double> out = result.out.view();
  const LogitKeys<double> keys(pattern.outputs().keys, q, k);
  parallelFor(ceilDiv(q.rows, kRows), options.threads, run, [&](Index chunk) {
    Twin twin(pattern, q, keys.view(), v, scoring);
    for (Index i = chunk * kRows; i < std::min(q.rows, (chunk + 1) * kRows); ++i)
      result.lse[static_cast<std::size_t>(i)] = twin.attendRow(i, out.row(i));
  });
  for (Index i = 0; i < q.rows; ++i) {
    const double lse = result.lse[static_cast<std::size_t>(i)];
    if (lse == kMinusInfinity && pattern.rowCount(i, 0, k.rows) == 0)
      result.emptyRows.push_back(i);
    else if (!std::isfinite(lse))
      throw Error(ErrorCode::NonFinite, "scores",
                  "the scores of query " + std::to_string(i) +
                      " are beyond float64; they must be at most 1.8·10³⁰⁸");
  }
  if (scoring.sink) {
    result.lseOfKeys = result.lse;
    for (Index i = 0; i < q.rows; ++i)
      for (double& o : out.row(i))
        o *= shareBeside(*scoring.sink, result.lse[static_cast<std::size_t>(i)], 1.0);
    addSink<double>(result.lse, sinkAs<double>(*scoring.sink));
  }
  if (pattern.branches())
    result.out = attendBranches(pattern, q, k, v, options, run.quiet()).out;
  return result;
}

} // namespace attention
