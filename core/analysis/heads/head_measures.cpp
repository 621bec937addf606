#include "core/analysis/heads/head_measures.h"

#include "core/analysis/entropy_sum.h"
#include "core/analysis/ready_weights.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace attention {
namespace {

constexpr Index kMostRows = 32;               // of a chunk
constexpr Index kMostScores = Index{1} << 18; // of a chunk, where it has several rows

// Sums over queries, and over how many of them.
struct Sums {
  double self = 0;
  double previous = 0;
  double first = 0;
  double within = 0;
  double entropy = 0;
  double previousOccurrence = 0;
  double induction = 0;
  Index followers = 0; // queries of a token after the first
  Index repeated = 0;  // queries with a token that occurred before

  void add(const Sums& other) {
    self += other.self;
    previous += other.previous;
    first += other.first;
    within += other.within;
    entropy += other.entropy;
    previousOccurrence += other.previousOccurrence;
    induction += other.induction;
    followers += other.followers;
    repeated += other.repeated;
  }
};

// One query's weights over the keys from 0 on; beyond them all are 0.
class RowMeasure {
public:
  RowMeasure(const HeadMeasuring& how, Sums& sums) : how_(how), sums_(sums) {}

  void add(Index i, std::span<const double> p, double entropy) {
    const Lengths& lengths = how_.base.lengths();
    const Index token = i + lengths.offset;
    const auto at = [p](Index j) {
      return j >= 0 && j < std::ssize(p) ? p[static_cast<std::size_t>(j)] : 0.0;
    };
    sums_.self += at(token);
    if (token >= 1) {
      ++sums_.followers;
      sums_.previous += at(token - 1);
      sums_.first += at(0);
    }
    sums_.entropy += entropy;
    addNear(token, p);
    if (how_.repeats && token >= 0 && token < how_.repeats->size() &&
        how_.repeats->repeats(token)) {
      ++sums_.repeated;
      how_.repeats->forEachBefore(token, [&](Index j) {
        sums_.previousOccurrence += at(j);
        sums_.induction += at(j + 1);
      });
    }
  }

private:
  void addNear(Index token, std::span<const double> p) {
    const Index keys = std::ssize(p);
    const Index near = std::min(how_.near, 2 * kMaxLength); // beyond, all keys are near
    const Index begin = std::clamp<Index>(token - near, 0, keys);
    const Index end = std::clamp<Index>(token + near + 1, begin, keys);
    for (Index j = begin; j < end; ++j)
      sums_.within += p[static_cast<std::size_t>(j)];
  }

  const HeadMeasuring& how_;
  Sums& sums_;
};

double entropyOf(std::span<const double> weights) {
  EntropySum entropy;
  for (const double weight : weights)
    entropy.add(weight);
  return entropy.entropy();
}

// The scores of a row become weights: the softmax over the keys of the base and the sink, 0
// elsewhere.
class RowSoftmax {
public:
  RowSoftmax(const Prepared& base, const std::optional<double>& sink)
      : base_(base), sink_(sink.value_or(-std::numeric_limits<double>::infinity())) {}

  // Returns the entropy of what the sink leaves, ln l + Σ p (m − s) / Σ p with l the sum over the
  // keys, which needs no logarithm per key.
  double turn(Index i, std::span<double> scores) {
    weights_.assign(scores.size(), 0.0);
    base_.row(i, ranges_);
    double max = sink_;
    forEachKey([&](std::size_t j) { max = std::max(max, scores[j]); });
    const double sinkTerm = std::isfinite(sink_) ? std::exp(sink_ - max) : 0;
    double sum = sinkTerm;
    forEachKey([&](std::size_t j) { sum += weights_[j] = std::exp(scores[j] - max); });
    if (!ranges_.empty() && !std::isfinite(sum))
      throw Error(ErrorCode::NonFinite, "scores",
                  "the scores of query " + std::to_string(i) +
                      " are beyond float64; they must be at most 1.8·10³⁰⁸");
    double below = 0; // Σ p (m − s)
    forEachKey([&](std::size_t j) {
      if (weights_[j] == 0)
        return;
      weights_[j] /= sum;
      below += weights_[j] * (max - scores[j]);
    });
    std::copy(weights_.begin(), weights_.end(), scores.begin());
    const double ofKeys = sum - sinkTerm;
    return ofKeys > 0 ? std::max(std::log(ofKeys) + below * (sum / ofKeys), 0.0) : 0.0;
  }

private:
  void forEachKey(const auto& visit) const {
    for (const KeyRange& range : ranges_)
      forEachRun(range, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j)
          visit(static_cast<std::size_t>(j));
      });
  }

  const Prepared& base_;
  double sink_; // its logit; −∞ without one
  KeyRanges ranges_;
  std::vector<double> weights_;
};

// The end of the keys that rows [begin, end) see.
Index keyEnd(const Prepared& base, Index begin, Index end) {
  Index last = 0;
  KeyRanges ranges;
  for (Index i = begin; i < end; ++i) {
    base.row(i, ranges);
    for (const KeyRange& range : ranges)
      last = std::max(last, range.end);
  }
  return last;
}

HeadMeasures meansOf(const Sums& sums, Index queries) {
  const auto over = [](double sum, Index count) { return sum / static_cast<double>(count); };
  HeadMeasures means;
  means.self = over(sums.self, queries);
  means.within = over(sums.within, queries);
  means.beyond = std::max(1 - means.within, 0.0);
  means.entropy = over(sums.entropy, queries);
  if (sums.followers > 0) {
    means.previous = over(sums.previous, sums.followers);
    means.first = over(sums.first, sums.followers);
  }
  if (sums.repeated > 0) {
    means.previousOccurrence = over(sums.previousOccurrence, sums.repeated);
    means.induction = over(sums.induction, sums.repeated);
  }
  return means;
}

// Chunks of rows fixed by the lengths, their sums added in order. addRows(begin, end, measure)
// passes every row of a chunk to the measure.
HeadMeasures
overChunks(const HeadMeasuring& how, int threads, const Run& run,
           const std::function<void(Index begin, Index end, RowMeasure& measure)>& addRows) {
  assert(how.near >= 0);
  const Lengths& lengths = how.base.lengths();
  assert(!how.repeats || how.repeats->size() == lengths.keys);
  const Index rows = std::clamp<Index>(kMostScores / lengths.keys, 1, kMostRows);
  std::vector<Sums> chunks(static_cast<std::size_t>(ceilDiv(lengths.queries, rows)));
  parallelFor(std::ssize(chunks), threads, run, [&](Index chunk) {
    RowMeasure measure(how, chunks[static_cast<std::size_t>(chunk)]);
    addRows(chunk * rows, std::min(lengths.queries, (chunk + 1) * rows), measure);
  });
  Sums all;
  for (const Sums& sums : chunks)
    all.add(sums);
  return meansOf(all, lengths.queries);
}

} // namespace

HeadMeasures headMeasures(const HeadMeasuring& how, MatrixView<const double> q,
                          MatrixView<const double> k, const AttendOptions& options,
                          const Run& run) {
  const Prepared& base = how.base;
  checkInput(base.lengths(), q, k, MatrixView<const double>{nullptr, k.rows, 0, 0});
  const Scoring scoring = scoringOf(options, q.cols, base.lengths());
  return overChunks(how, options.threads, run, [&](Index begin, Index end, RowMeasure& measure) {
    Matrix<double> scores(end - begin, keyEnd(base, begin, end));
    multiplyTransposed(rowsOf(q, begin, end), rowsOf(k, 0, scores.cols()), scores.view());
    RowSoftmax softmax(base, scoring.sink);
    for (Index i = begin; i < end; ++i) {
      const std::span<double> row = scores.view().row(i - begin);
      scoreProducts(row, scoring, i, 0);
      const double entropy = softmax.turn(i, row);
      measure.add(i, row, entropy);
    }
  });
}

HeadMeasures headMeasures(const HeadMeasuring& how, const Matrix<double>& ready, const Run& run) {
  return overChunks(how, run.threads, run, [&](Index begin, Index end, RowMeasure& measure) {
    std::vector<double> row(static_cast<std::size_t>(ready.cols()));
    for (Index i = begin; i < end; ++i) {
      std::fill(row.begin(), row.end(), 0.0);
      cutRow<double>(how.base, ready, i, {0, ready.cols()}, row);
      measure.add(i, row, entropyOf(row));
    }
  });
}

} // namespace attention
