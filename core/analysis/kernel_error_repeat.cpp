#include "core/analysis/kernel_error_repeat.h"

#include "core/attention/attend.h"
#include "core/attention/dense_softmax.h"
#include "core/support/philox.h"
#include "core/support/products.h"
#include "core/support/stoppable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr std::uint32_t kPairStream = 0xFFFFFFFF;     // streams of purpose 1 that inputs leave free
constexpr Index kMostStoredFeatures = Index{1} << 22; // numbers of one feature matrix
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

IndexPairs drawPairs(const KernelErrorOptions& options, Index repeat, Index queries, Index keys,
                     const Run& run) {
  constexpr Index kBetweenLooks = 4096;
  const philox::Stream stream{options.seed, philox::Purpose::Data, kPairStream};
  IndexPairs pairs;
  for (Index p = 0; p < options.pairs; ++p) {
    if (p % kBetweenLooks == 0)
      run.check();
    const philox::Draw draw =
        philox::draw(stream, static_cast<std::uint64_t>(repeat * options.pairs + p));
    const auto i = static_cast<Index>(philox::below(draw.a, static_cast<std::uint64_t>(queries)));
    const Index visible = options.causal ? i + 1 : keys;
    pairs.emplace_back(
        i, static_cast<Index>(philox::below(draw.b, static_cast<std::uint64_t>(visible))));
  }
  return pairs;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c)
    sum += a[c] * b[c];
  return sum;
}

double meanSquareDifference(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (std::size_t x = 0; x < a.values().size(); ++x)
    sum += (a.values()[x] - b.values()[x]) * (a.values()[x] - b.values()[x]);
  return sum / static_cast<double>(a.values().size());
}

// Features of one repeat and curve, in `room` where they are few.
class Side {
public:
  Side(MatrixView<const double> x, const Matrix<double>& w, const FeatureOptions& features,
       FeatureRole role, std::vector<double>& room, const Run& run)
      : source_(featuresOf(x, w, features, role, 1, run)), row_(1, source_.features) {
    const Index numbers = source_.rows * source_.features;
    if (numbers > kMostStoredFeatures)
      return;
    room.resize(std::max(room.size(), static_cast<std::size_t>(numbers)));
    const MatrixView<double> all{room.data(), source_.rows, source_.features, source_.features};
    writeFeatures(source_, all, 1, run);
    stored_ = {all.data, all.rows, all.cols, all.stride};
    source_ = sourceOf(stored_);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  const FeatureSource<double>& source() const { return source_; }
  // Row i; valid until the next call.
  std::span<const double> row(Index i) {
    if (stored_.rows > 0)
      return stored_.row(i);
    source_.block(i, i + 1, row_.view());
    return std::as_const(row_).view().row(0);
  }

private:
  FeatureSource<double> source_;
  MatrixView<const double> stored_; // without rows where they are not stored
  Matrix<double> row_;
};

// Compares estimates of single entries.
class Entries {
public:
  Entries(const ExactRepeat& exact, const std::vector<double>& denominators, bool kernelMeans,
          RepeatErrors& errors)
      : exact_(exact), denominators_(denominators), kernelMeans_(kernelMeans), errors_(errors),
        scale_(1 / std::sqrt(static_cast<double>(exact.input.q.cols()))) {}

  void add(Index i, Index j, double estimate) {
    const double score = scale_ * dot(exact_.input.q.view().row(i), exact_.input.k.view().row(j));
    if (kernelMeans_)
      errors_.kernel.add(estimate - std::exp(score));
    const auto r = static_cast<std::size_t>(i);
    const double d = denominators_[r];
    errors_.matrix.add((d == 0 ? 0 : estimate / d) - std::exp(score - exact_.lse[r]));
  }

private:
  const ExactRepeat& exact_;
  const std::vector<double>& denominators_;
  bool kernelMeans_;
  RepeatErrors& errors_;
  double scale_;
};

void addAll(Entries& entries, Side& q, Side& k, bool causal, const Run& run) {
  constexpr Index kBlock = 64;
  const Matrix<double> keys = featureMatrix(k.source(), 1, run);
  for (Index begin = 0; begin < q.source().rows; begin += kBlock) {
    run.check();
    const Index end = std::min(begin + kBlock, q.source().rows);
    Matrix<double> queries(end - begin, q.source().features);
    q.source().block(begin, end, queries.view());
    Matrix<double> a(end - begin, keys.rows());
    multiplyTransposed(std::as_const(queries).view(), keys.view(), a.view());
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < (causal ? i + 1 : keys.rows()); ++j)
        entries.add(i, j, a(i - begin, j));
  }
}

// Adds the estimate of the projections that `kept` lacks.
void extend(KeptEstimate& kept, const ExactRepeat& exact, const Matrix<double>& w,
            const FeatureOptions& features, const LinearOptions& linear, RepeatRoom& room,
            const Run& run) {
  const KernelErrorInput& in = exact.input;
  if (kept.sums.rows() == 0 || kept.projections > w.rows()) {
    kept.projections = 0;
    kept.sums = Matrix<double>(in.q.rows(), in.v.cols() + 1);
    kept.entries.assign(exact.pairs.size(), 0.0);
  }
  const Index more = w.rows() - kept.projections;
  if (more == 0)
    return;
  const double* first = w.data() + kept.projections * w.cols();
  const Matrix<double> fresh(more, w.cols(), {first, first + more * w.cols()});
  Side q(in.q.view(), fresh, features, FeatureRole::Query, room.q, run);
  Side k(in.k.view(), fresh, features, FeatureRole::Key, room.k, run);
  const auto result = linearAttention(q.source(), k.source(), in.v.view(), linear, run);
  const auto weight = static_cast<double>(more);
  for (Index i = 0; i < in.q.rows(); ++i) {
    for (Index c = 0; c < in.v.cols(); ++c)
      kept.sums(i, c) += weight * result.out(i, c);
    kept.sums(i, in.v.cols()) += weight * result.denominators[static_cast<std::size_t>(i)];
  }
  for (std::size_t p = 0; p < exact.pairs.size(); ++p) {
    run.check(); // rows that are not stored are made
    kept.entries[p] += weight * dot(q.row(exact.pairs[p].first), k.row(exact.pairs[p].second));
  }
  kept.projections = w.rows();
}

KernelAttention<double> estimateOf(const KeptEstimate& kept) {
  Matrix<double> sums(kept.sums.rows(), kept.sums.cols());
  const auto count = static_cast<double>(kept.projections);
  for (std::size_t x = 0; x < kept.sums.values().size(); ++x)
    sums.data()[x] = kept.sums.values()[x] / count;
  return finishRows(sums, true);
}

void addOutput(RepeatErrors& errors, const KernelAttention<double>& result,
               const ExactRepeat& exact) {
  errors.mse = meanSquareDifference(result.out, exact.out);
  errors.negativeRows = static_cast<Index>(result.negativeRows.size());
  errors.zeroRows = static_cast<Index>(result.zeroRows.size());
  errors.nonFiniteRows = static_cast<Index>(result.nonFiniteRows.size());
}

} // namespace

void EntrySums::add(double error) {
  squares += error * error;
  abs += std::abs(error);
  maxAbs = std::max(maxAbs,
                    std::isnan(error) ? std::numeric_limits<double>::infinity() : std::abs(error));
  ++count;
}

void EntrySums::add(const EntrySums& other) {
  squares += other.squares;
  abs += other.abs;
  maxAbs = std::max(maxAbs, other.maxAbs);
  count += other.count;
}

EntryErrors EntrySums::errors() const {
  if (count == 0)
    return {kNaN, kNaN, kNaN};
  const auto all = static_cast<double>(count);
  return {squares / all, abs / all, maxAbs};
}

std::shared_ptr<const ExactRepeat> exactRepeat(KernelErrorInput input,
                                               const KernelErrorOptions& options, Index repeat,
                                               const Run& run) {
  auto exact = std::make_shared<ExactRepeat>();
  exact->input = std::move(input);
  const KernelErrorInput& in = exact->input;
  checkInput(Lengths{in.q.rows(), in.k.rows(), 0}, in.q.view(), in.k.view(), in.v.view());
  const double scale = 1 / std::sqrt(static_cast<double>(in.q.cols()));
  DenseSoftmax<double> softmax = denseSoftmax(in.q.view(), in.k.view(), in.v.view(),
                                              {{scale}, options.causal, options.threads}, run);
  exact->out = std::move(softmax.out);
  exact->lse = std::move(softmax.lse);
  exact->pairs = drawPairs(options, repeat, in.q.rows(), in.k.rows(), run);
  exact->meanSquare =
      meanSquareDifference(exact->out, Matrix<double>(exact->out.rows(), exact->out.cols()));
  return exact;
}

bool canKeep(const KernelErrorOptions& options) {
  return options.stabilize == Stabilize::Off && options.eps == 0 && !options.allEntries;
}

RepeatErrors repeatErrors(const ExactRepeat& exact, const Estimator& curve, Index projections,
                          const KernelErrorOptions& options, Index repeat, KeptEstimate* kept,
                          RepeatRoom& room, const Run& run) {
  const KernelErrorInput& in = exact.input;
  const Projection projection{curve.projection, curve.norms, projections, in.q.cols(),
                              projectionSeed(options.seed, repeat)};
  const Matrix<double> w = stoppable([projection] { return drawProjection(projection); }, run);
  const FeatureOptions features{curve.map, options.stabilize, options.eps, {}};
  const LinearOptions linear{options.causal, !kept, 1};
  RepeatErrors errors;
  if (kept) {
    extend(*kept, exact, w, features, linear, room, run);
    const KernelAttention<double> result = estimateOf(*kept);
    addOutput(errors, result, exact);
    Entries entries(exact, result.denominators, true, errors);
    for (std::size_t p = 0; p < exact.pairs.size(); ++p)
      entries.add(exact.pairs[p].first, exact.pairs[p].second,
                  kept->entries[p] / static_cast<double>(projections));
    return errors;
  }
  Side q(in.q.view(), w, features, FeatureRole::Query, room.q, run);
  Side k(in.k.view(), w, features, FeatureRole::Key, room.k, run);
  const auto result = linearAttention(q.source(), k.source(), in.v.view(), linear, run);
  addOutput(errors, result, exact);
  Entries entries(exact, result.denominators, options.stabilize == Stabilize::Off, errors);
  if (options.allEntries)
    addAll(entries, q, k, options.causal, run);
  else
    for (const auto& [i, j] : exact.pairs) {
      run.check();
      entries.add(i, j, dot(q.row(i), k.row(j)));
    }
  return errors;
}

MeanMoments meanMoments(const ExactRepeat& exact, const Estimator& curve, const Run& run) {
  const Index d = exact.input.q.cols();
  const double scale = std::pow(static_cast<double>(d), -0.25);
  std::vector<double> x(static_cast<std::size_t>(d));
  std::vector<double> y(x.size());
  MeanMoments mean;
  for (const auto& [i, j] : exact.pairs) {
    run.check();
    double squares = 0;
    for (Index c = 0; c < d; ++c) {
      const auto at = static_cast<std::size_t>(c);
      x[at] = scale * exact.input.q(i, c);
      y[at] = scale * exact.input.k(j, c);
      squares += x[at] * x[at] + y[at] * y[at];
    }
    const ProjectionMoments moments = projectionMoments(curve, x, y);
    mean.single += moments.single;
    mean.pair += moments.pair;
    mean.squaredBias += (moments.mean - moments.kernel) * (moments.mean - moments.kernel);
    const double gap = moments.kernel - std::exp(-squares / 2);
    mean.squaredGap += gap * gap;
  }
  const auto count = static_cast<double>(exact.pairs.size());
  return {mean.single / count, mean.pair / count, mean.squaredBias / count,
          mean.squaredGap / count};
}

} // namespace attention
