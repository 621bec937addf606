#include "core/analysis/kernel_error.h"

#include "core/analysis/kernel_error_repeat.h"
#include "core/analysis/kernel_error_size.h"
#include "core/attention/workspaces.h"
#include "core/support/error.h"
#include "core/support/parallel.h"
#include "core/support/part_of_run.h"
#include "core/support/philox.h"
#include "core/support/quantile.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace attention {
namespace {

constexpr double kExactShare = 0.2;                  // of the progress
constexpr std::uint64_t kFirstProjectionSeed = 1000; // S7.6
constexpr Index kMostKept = Index{1} << 25;          // numbers of kept estimates: 256 MiB

void checkOptions(const KernelErrorOptions& options) {
  const auto atLeastOne = [](const char* name, Index value) {
    if (value < 1)
      throwRange(name, std::to_string(value), "an integer of at least 1");
  };
  atLeastOne("repeats", options.repeats);
  atLeastOne("pairs", options.pairs);
  for (const Index v : options.projections)
    atLeastOne("m", v);
  if (options.projections.empty())
    throwRange("m", "an empty list", "at least one number of projections");
  if (!(options.eps >= 0) || std::isinf(options.eps))
    throwRange("eps", std::to_string(options.eps), "a finite number of at least 0");
  checkCurves(options.curves);
}

class Sweep {
public:
  Sweep(const KernelErrorOptions& options, const Run& run) : options_(options), run_(run) {}

  void prepare(const KernelErrorSource& source) {
    const Index distinct = options_.sameInput ? 1 : options_.repeats;
    for (Index r = 0; r < distinct; ++r) {
      const auto all = static_cast<double>(distinct);
      const Run part = partOf(run_, kExactShare * static_cast<double>(r) / all,
                              kExactShare * static_cast<double>(r + 1) / all);
      repeats_.push_back(exactRepeat(source(r), options_, r, part));
    }
    for (const Estimator& curve : options_.curves)
      moments_.push_back(meanOver(curve));
    keepEstimates();
  }

  KernelErrorResult compute(const std::function<void(const KernelErrorResult&)>& onRow) {
    KernelErrorResult result;
    for (const auto& exact : repeats_)
      result.baseline += exact->meanSquare / static_cast<double>(repeats_.size());
    result.rowsCompared = repeats_.front()->input.q.rows() * options_.repeats;
    double total = 0;
    for (const Index v : options_.projections)
      total += static_cast<double>(v);
    double done = 0;
    for (const Index v : options_.projections) {
      const double from = kExactShare + (1 - kExactShare) * done / total;
      done += static_cast<double>(v);
      const double to = kExactShare + (1 - kExactShare) * done / total;
      const std::vector<RepeatErrors> errors = errorsAt(v, partOf(run_, from, to));
      for (std::size_t c = 0; c < options_.curves.size(); ++c) {
        result.rows.push_back(rowOf(c, v, errors, result.pairs));
        if (onRow)
          onRow(result);
      }
    }
    return result;
  }

private:
  const ExactRepeat& exact(Index repeat) const {
    return *repeats_[options_.sameInput ? 0 : static_cast<std::size_t>(repeat)];
  }

  MeanMoments meanOver(const Estimator& curve) const {
    std::vector<MeanMoments> all(repeats_.size());
    parallelFor(static_cast<Index>(all.size()), options_.threads, run_.quiet(), [&](Index r) {
      const auto at = static_cast<std::size_t>(r);
      all[at] = meanMoments(*repeats_[at], curve, run_);
    });
    MeanMoments mean;
    const auto count = static_cast<double>(all.size());
    for (const MeanMoments& of : all) {
      mean.single += of.single / count;
      mean.pair += of.pair / count;
      mean.squaredBias += of.squaredBias / count;
      mean.squaredGap += of.squaredGap / count;
    }
    return mean;
  }

  // If memory allows, estimates grow with the projections instead of starting over.
  void keepEstimates() {
    const KernelErrorInput& in = repeats_.front()->input;
    const auto tasks = static_cast<Index>(options_.curves.size()) * options_.repeats;
    const Index numbers = in.q.rows() * (in.v.cols() + 1) + options_.pairs;
    if (canKeep(options_) && options_.projections.size() > 1 && tasks <= kMostKept / numbers)
      kept_.resize(static_cast<std::size_t>(tasks));
  }

  // Of all curves and repeats at v projections: [curve · repeats + repeat].
  std::vector<RepeatErrors> errorsAt(Index v, const Run& run) {
    const auto curves = static_cast<Index>(options_.curves.size());
    std::vector<RepeatErrors> errors(static_cast<std::size_t>(curves * options_.repeats));
    Workspaces<RepeatRoom> rooms([] { return std::make_unique<RepeatRoom>(); });
    parallelFor(curves * options_.repeats, options_.threads, run, [&](Index task) {
      const Index repeat = task % options_.repeats;
      const Estimator& curve = options_.curves[static_cast<std::size_t>(task / options_.repeats)];
      errors[static_cast<std::size_t>(task)] =
          repeatErrors(exact(repeat), curve, v, options_, repeat,
                       kept_.empty() ? nullptr : &kept_[static_cast<std::size_t>(task)],
                       *rooms.take(), run_.quiet());
    });
    return errors;
  }

  KernelErrorRow rowOf(std::size_t c, Index v, const std::vector<RepeatErrors>& errors,
                       Index& pairs) const {
    KernelErrorRow row;
    row.curve = options_.curves[c];
    row.projections = v;
    const Index d = repeats_.front()->input.q.cols();
    row.features = featureCount(row.curve.map, v, d);
    EntrySums kernel;
    EntrySums matrix;
    for (Index r = 0; r < options_.repeats; ++r) {
      const RepeatErrors& of =
          errors[c * static_cast<std::size_t>(options_.repeats) + static_cast<std::size_t>(r)];
      row.errors.push_back(std::isfinite(of.mse) ? of.mse
                                                 : std::numeric_limits<double>::infinity());
      kernel.add(of.kernel);
      matrix.add(of.matrix);
      row.negativeRows += of.negativeRows;
      row.zeroRows += of.zeroRows;
      row.nonFiniteRows += of.nonFiniteRows;
    }
    row.output = spreadOf(row.errors);
    row.kernel = kernel.errors();
    row.matrix = matrix.errors();
    pairs = matrix.count;
    addTheory(row, moments_[c], d);
    return row;
  }

  static void addTheory(KernelErrorRow& row, const MeanMoments& mean, Index d) {
    const auto v = static_cast<double>(row.projections);
    const double pairs = mean.pair == 0 ? 0 : blockPairs(row.projections, d) * mean.pair;
    row.theory = (v * mean.single + pairs) / (v * v) + mean.squaredBias;
    if (row.curve.map == FeatureMap::Positive && row.projections <= d &&
        row.curve.projection == ProjectionKind::Orthogonal && row.curve.norms == Norms::Chi)
      row.bound =
          mean.single / v - 2 * (v - 1) / (v * static_cast<double>(d + 2)) * mean.squaredGap;
  }

  const KernelErrorOptions& options_;
  const Run& run_;
  std::vector<std::shared_ptr<const ExactRepeat>> repeats_;
  std::vector<MeanMoments> moments_; // one per curve
  std::vector<KeptEstimate> kept_;   // like errorsAt's result; none if they are not kept
};

} // namespace

KernelErrorSource gaussianSource(Index n, Index d, double sigma, std::uint64_t seed) {
  if (n < 1)
    throw Error(ErrorCode::N, "n",
                "n is " + std::to_string(n) + "; it must be an integer of at least 1");
  if (d < 1)
    throwRange("d", std::to_string(d), "an integer of at least 1");
  if (!std::isfinite(sigma))
    throw Error(ErrorCode::NonFinite, "sigma", "sigma is not finite; it must be a finite number");
  const auto drawAll = [=](Index repeat) {
    const auto draw = [&](Index role, double factor) {
      const philox::Stream stream{seed, philox::Purpose::Data,
                                  static_cast<std::uint32_t>(3 * repeat + role)};
      Matrix<double> m(n, d);
      for (Index x = 0; x < n * d; ++x)
        m.data()[x] = factor * philox::normal(stream, static_cast<std::uint64_t>(x));
      return m;
    };
    return KernelErrorInput{draw(0, sigma), draw(1, sigma), draw(2, 1)};
  };
  return {n, n, d, d, drawAll};
}

KernelErrorSource givenSource(KernelErrorInput input) {
  const auto held = std::make_shared<const KernelErrorInput>(std::move(input));
  return {held->q.rows(), held->k.rows(), held->q.cols(), held->v.cols(),
          [held](Index) { return *held; }};
}

std::vector<Estimator> defaultCurves() {
  std::vector<Estimator> curves;
  for (const FeatureMap map : {FeatureMap::Trig, FeatureMap::Positive, FeatureMap::Hyperbolic})
    for (const ProjectionKind kind : {ProjectionKind::Iid, ProjectionKind::Orthogonal})
      curves.push_back({map, kind, Norms::Chi});
  return curves;
}

std::uint64_t projectionSeed(std::uint64_t seed, Index repeat) {
  return seed + kFirstProjectionSeed + static_cast<std::uint64_t>(repeat);
}

void checkCurves(const std::vector<Estimator>& curves) {
  if (curves.empty())
    throwRange("features", "an empty list", "at least one kind of features");
  for (const Estimator& curve : curves)
    if (curve.map != FeatureMap::Trig && curve.map != FeatureMap::Positive &&
        curve.map != FeatureMap::Hyperbolic)
      throwRange("features", std::string(name(curve.map)), "trig, positive or hyperbolic");
}

Spread spreadOf(std::vector<double> values) {
  assert(!values.empty());
  for (double& x : values)
    if (!std::isfinite(x))
      x = std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  Spread spread;
  for (const double x : values)
    spread.mean += x / count;
  double squares = 0;
  for (const double x : values)
    squares += (x - spread.mean) * (x - spread.mean);
  if (values.size() > 1)
    spread.std = std::isfinite(spread.mean) ? std::sqrt(squares / (count - 1)) : spread.mean;
  const auto at = [&](double p) { return quantileOf(values, p); };
  spread.median = at(0.5);
  spread.q10 = at(0.1);
  spread.q25 = at(0.25);
  spread.q75 = at(0.75);
  spread.q90 = at(0.9);
  return spread;
}

KernelErrorResult kernelError(const KernelErrorSource& source, const KernelErrorOptions& options,
                              const std::function<void(const KernelErrorResult&)>& onRow,
                              const Run& run) {
  checkOptions(options);
  requireSmallSweep(source, options);
  Sweep sweep(options, run);
  sweep.prepare(source);
  return sweep.compute(onRow);
}

} // namespace attention
