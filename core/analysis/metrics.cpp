#include "core/analysis/metrics.h"

#include "core/analysis/entropy_sum.h"
#include "core/attention/row_weights.h"
#include "core/attention/sink.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace attention {
namespace {

// Keys j ≤ i of the first `rows` queries.
Index causalCells(const Lengths& lengths) {
  const Index n = lengths.keys;
  Index cells = 0;
  // Token i = query + offset sees min(i + 1, n) keys, tokens below 0 none.
  const Index first = std::max<Index>(lengths.offset, 0);
  const Index last = lengths.queries + lengths.offset; // one past
  if (last <= first)
    return 0;
  const Index rising = std::min(last, n);
  if (rising > first)
    cells += triangle(rising) - triangle(first);
  cells += n * (last - std::max(first, n) > 0 ? last - std::max(first, n) : 0);
  return cells;
}

// The keys of a row have e^(lse of the keys − lse with the sink) of all mass.
template <class T>
void addSink(CapturedMass& mass, std::span<const T> baseLse, double sink) {
  double sum = 0;
  for (std::size_t i = 0; i < baseLse.size(); ++i) {
    const auto keys = static_cast<double>(baseLse[i]);
    mass.ofAll.push_back(mass.rows[i] * std::exp(keys - withSink(keys, sink)));
    sum += mass.ofAll.back();
  }
  mass.meanOfAll = baseLse.empty() ? 0.0 : sum / static_cast<double>(baseLse.size());
}

} // namespace

template <class T>
CapturedMass capturedMass(std::span<const T> lse, std::span<const T> baseLse,
                          const std::optional<double>& sink) {
  assert(lse.size() == baseLse.size());
  CapturedMass mass;
  double sum = 0;
  for (std::size_t i = 0; i < lse.size(); ++i) {
    const bool empty = lse[i] == -std::numeric_limits<T>::infinity();
    // Rounding may push a row that keeps everything above 1.
    const double difference =
        empty ? 0.0 : static_cast<double>(lse[i]) - static_cast<double>(baseLse[i]);
    mass.rows.push_back(empty ? 0.0 : std::exp(std::min(difference, 0.0)));
    sum += mass.rows.back();
  }
  mass.mean = lse.empty() ? 0.0 : sum / static_cast<double>(lse.size());
  if (sink)
    addSink(mass, baseLse, *sink);
  return mass;
}

template <class T>
CapturedMass capturedMass(const std::shared_ptr<const Prepared>& pattern, MatrixView<const T> q,
                          MatrixView<const T> k, const Base& base, const AttendOptions& options,
                          const Run& run) {
  const auto whole = baseOf(base, *pattern);
  const auto cut =
      (base == Base::Full ? pattern
                          : compose(Operation::Intersection, {pattern, whole}, {"pattern", "base"}))
          ->asUnion(pattern->outputs().keys);
  const AttendOptions overKeys = withoutSink(options);
  const std::vector<T> lse = logSumExp(*cut, q, k, overKeys, stepOf(run, 0, 2));
  const std::vector<T> baseLse = logSumExp(*whole, q, k, overKeys, stepOf(run, 1, 2));
  return capturedMass<T>(lse, baseLse, options.sink);
}

template <class T>
std::vector<T> unionLse(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                        std::span<const T> lse, const AttendOptions& options, const Run& run) {
  const Outputs& outputs = pattern.outputs();
  if (outputs.combine == Combine::Union)
    return {lse.begin(), lse.end()};
  return logSumExp<T>(*pattern.asUnion(outputs.keys), q, k, withoutSink(options), run);
}

void NormSum::add(double x) {
  const double size = std::abs(x);
  if (size > largest_) {
    squares_ = squares_ * (largest_ / size) * (largest_ / size) + 1;
    largest_ = size;
  } else if (size > 0 && std::isfinite(size)) {
    squares_ += (size / largest_) * (size / largest_);
  } else if (std::isnan(size)) {
    squares_ = size;
  }
}

double NormSum::over(const NormSum& other) const {
  if (std::isnan(squares_) || std::isnan(other.squares_))
    return std::numeric_limits<double>::quiet_NaN();
  if (largest_ == 0)
    return 0;
  return largest_ / other.largest_ * std::sqrt(squares_ / other.squares_); // x / 0 = ∞
}

template <class T>
void OutputErrorSums::add(const Matrix<T>& out, const Matrix<T>& reference) {
  if (out.rows() != reference.rows() || out.cols() != reference.cols())
    throw Error(ErrorCode::Shape, "out",
                "out is " + std::to_string(out.rows()) + " × " + std::to_string(out.cols()) +
                    "; it must have the shape of the reference, " +
                    std::to_string(reference.rows()) + " × " + std::to_string(reference.cols()));
  for (std::size_t k = 0; k < out.values().size(); ++k) {
    const double expected = reference.values()[k];
    const double deviation = std::abs(static_cast<double>(out.values()[k]) - expected);
    difference_.add(deviation);
    reference_.add(expected);
    maxAbs_ = std::max(maxAbs_,
                       std::isnan(deviation) ? std::numeric_limits<double>::infinity() : deviation);
  }
}

OutputError OutputErrorSums::error() const {
  return {difference_.over(reference_), maxAbs_};
}

template <class T>
OutputError outputError(const Matrix<T>& out, const Matrix<T>& reference) {
  OutputErrorSums sums;
  sums.add(out, reference);
  return sums.error();
}

// H_i = −Σ p ln p.
template <class T>
std::vector<double> rowEntropies(const Prepared& pattern, MatrixView<const T> q,
                                 MatrixView<const T> k, std::span<const T> lse,
                                 const AttendOptions& options, const Run& run) {
  constexpr Index kRows = 64; // a chunk
  const Scoring scoring = scoringOf(options, q.cols, pattern.lengths());
  std::vector<double> entropies(static_cast<std::size_t>(q.rows));
  const WeightKeys<T> keys(pattern, q, k);
  parallelFor(ceilDiv(q.rows, kRows), options.threads, run, [&](Index chunk) {
    RowWeights<T> weights(pattern, q, keys, lse, scoring);
    for (Index i = chunk * kRows; i < std::min(q.rows, (chunk + 1) * kRows); ++i) {
      EntropySum sum;
      weights.visit(i, 0, k.rows, [&](Index, std::span<const T> row) {
        for (const T weight : row)
          sum.add(static_cast<double>(weight));
      });
      entropies[static_cast<std::size_t>(i)] = sum.entropy();
    }
  });
  return entropies;
}

double normalisedEntropy(double entropy, Index keys) {
  if (keys < 1)
    return 0;
  return keys == 1 ? 1 : entropy / std::log(static_cast<double>(keys));
}

double density(Index pairs, const Lengths& lengths) {
  return static_cast<double>(pairs) / static_cast<double>(lengths.queries * lengths.keys);
}

double causalDensity(Index pairs, const Lengths& lengths) {
  return static_cast<double>(pairs) / static_cast<double>(causalCells(lengths));
}

double intersectionOverUnion(Index both, Index onlyFirst, Index onlySecond) {
  const Index all = both + onlyFirst + onlySecond;
  return all == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(all);
}

template CapturedMass capturedMass(std::span<const float>, std::span<const float>,
                                   const std::optional<double>&);
template CapturedMass capturedMass(std::span<const double>, std::span<const double>,
                                   const std::optional<double>&);
template CapturedMass capturedMass(const std::shared_ptr<const Prepared>&, MatrixView<const float>,
                                   MatrixView<const float>, const Base&, const AttendOptions&,
                                   const Run&);
template CapturedMass capturedMass(const std::shared_ptr<const Prepared>&, MatrixView<const double>,
                                   MatrixView<const double>, const Base&, const AttendOptions&,
                                   const Run&);
template std::vector<float> unionLse(const Prepared&, MatrixView<const float>,
                                     MatrixView<const float>, std::span<const float>,
                                     const AttendOptions&, const Run&);
template std::vector<double> unionLse(const Prepared&, MatrixView<const double>,
                                      MatrixView<const double>, std::span<const double>,
                                      const AttendOptions&, const Run&);
template void OutputErrorSums::add(const Matrix<float>&, const Matrix<float>&);
template void OutputErrorSums::add(const Matrix<double>&, const Matrix<double>&);
template OutputError outputError(const Matrix<float>&, const Matrix<float>&);
template OutputError outputError(const Matrix<double>&, const Matrix<double>&);
template std::vector<double> rowEntropies(const Prepared&, MatrixView<const float>,
                                          MatrixView<const float>, std::span<const float>,
                                          const AttendOptions&, const Run&);
template std::vector<double> rowEntropies(const Prepared&, MatrixView<const double>,
                                          MatrixView<const double>, std::span<const double>,
                                          const AttendOptions&, const Run&);

} // namespace attention
