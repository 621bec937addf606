// Attention matrices beside their estimates by features (scene_kernels.h).
#include "core/attention/attend.h"
#include "core/attention/dense_softmax.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/implied_matrix.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/pattern.h"
#include "core/support/part_of_run.h"
#include "core/support/quantile.h"
#include "core/support/stoppable.h"
#include "core/views/kernels/scene_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attention {
namespace {

constexpr Index kFirstProjectionSeed = 1000; // S7.6, of repeat 0

// Exact attention of all rows: outputs, normalisers, and rows of A on demand.
struct Exact {
  Matrix<double> out;
  std::vector<double> normalisers;
  ImpliedMatrix<double> rows;
};

Exact exactSoftmax(const KernelErrorInput& in, bool causal, const Run& run) {
  DenseSoftmax<double> dense = denseSoftmax(in.q.view(), in.k.view(), in.v.view(),
                                            {{scaleFor(in)}, causal, run.threads}, run);
  Exact exact{std::move(dense.out), std::move(dense.lse), {}};
  for (double& d : exact.normalisers)
    d = std::exp(d);
  exact.rows =
      attentionRows(in.q.view(), in.k.view(), {scaleFor(in)}, LowRankObject::Softmax, causal);
  return exact;
}

Exact exactGaussian(const KernelErrorInput& in, const Prepared& pattern, const Run& run) {
  KernelOptions options;
  options.kernel = Kernel::Gaussian;
  options.threads = run.threads;
  KernelAttention<double> of =
      kernelAttention<double>(pattern, in.q.view(), in.k.view(), in.v.view(), options, run);
  return {std::move(of.out), std::move(of.denominators),
          impliedByKernel<double>(pattern, in.q.view(), in.k.view(), options)};
}

std::shared_ptr<const Matrix<float>> corner(const Matrix<double>& of, Index cells) {
  Matrix<float> values(cells, cells);
  for (Index i = 0; i < cells; ++i)
    for (Index j = 0; j < cells; ++j)
      values(i, j) = static_cast<float>(of(i, j));
  return std::make_shared<const Matrix<float>>(std::move(values));
}

double meanSquareGap(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (std::size_t x = 0; x < a.values().size(); ++x)
    sum += (a.values()[x] - b.values()[x]) * (a.values()[x] - b.values()[x]);
  return sum / static_cast<double>(a.values().size());
}

void addCells(KernelMatrices& made, const Matrix<double>& a, const Matrix<double>& b, Index cells) {
  Matrix<double> error(cells, cells);
  for (Index i = 0; i < cells; ++i)
    for (Index j = 0; j < cells; ++j) {
      error(i, j) = std::abs(a(i, j) - b(i, j));
      made.top = std::max(made.top, static_cast<float>(a(i, j)));
      made.negativeEntries += b(i, j) < 0 ? 1 : 0;
    }
  made.exact = corner(a, cells);
  made.estimate = corner(b, cells);
  made.error = corner(error, cells);
  made.relativeError = relativeDistance(a, b);
}

// Over the exact ones where both are of the same kernel, else over their mean size.
void addNormalisers(KernelMatrices& made, std::vector<double> of, const std::vector<double>& exact,
                    bool comparable) {
  made.overExact = comparable;
  double mean = 0;
  for (const double d : of)
    mean += std::abs(d) / static_cast<double>(of.size());
  for (std::size_t i = 0; i < of.size(); ++i)
    of[i] /= comparable ? exact[i] : (mean > 0 ? mean : 1);
  made.normalisers = std::move(of);
}

void normalise(std::span<double> row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  for (double& a : row)
    a = sum == 0 ? 0 : a / sum;
}

FeatureOptions featuresFor(const KernelsSpec& spec) {
  FeatureOptions options;
  options.map = currentMap(spec);
  options.stabilize = takesStabiliser(options.map) ? spec.stabilize : Stabilize::Off;
  options.eps = takesEps(options.map) ? spec.eps : 0;
  if (spec.kernel == Kernel::Relu)
    options.scaleInputs = false; // the kernel of S3.3, whose features are exact
  return options;
}

} // namespace

Matrix<double> projectionsOf(const KernelsSpec& spec, const Estimator& of, Index projections,
                             Index d, const Run& run) {
  const Projection drawn{
      of.projection, of.norms, projections, d,
      static_cast<std::uint64_t>(spec.seed + spec.redraws + kFirstProjectionSeed)};
  return stoppable([drawn] { return drawProjection(drawn); }, run);
}

double scaleFor(const KernelErrorInput& in) {
  return 1 / std::sqrt(static_cast<double>(in.q.cols()));
}

double relativeDistance(const Matrix<double>& a, const Matrix<double>& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t x = 0; x < a.values().size(); ++x) {
    const double gap = a.values()[x] - b.values()[x];
    difference += gap * gap;
    size += a.values()[x] * a.values()[x];
  }
  const double ratio = size > 0 ? std::sqrt(difference / size) : 0;
  return std::isfinite(ratio) ? ratio : std::numeric_limits<double>::infinity();
}

namespace {

class MatricesMaker {
public:
  MatricesMaker(const KernelsSpec& spec, const KernelErrorInput& in, const Run& run)
      : spec_(spec), in_(in), features_(featuresFor(spec)),
        drawn_(takesProjections(features_.map) && spec.kernel != Kernel::Relu),
        w_(drawn_ ? projectionsOf(spec, {features_.map, spec.projection, spec.norms}, spec.chosen,
                                  in.q.cols(), run)
                  : Matrix<double>()) {}

  KernelMatrices make(const Run& run) {
    const Exact exact = exactOf(partOf(run, 0, 0.6));
    KernelMatrices made;
    made.n = in_.q.rows();
    made.d = in_.q.cols();
    made.dv = in_.v.cols();
    made.projections = drawn_ ? spec_.chosen : 0;
    made.features = featureCount(features_.map, made.projections, made.d);
    made.label = labelOfEstimate(spec_);
    addRows(made, exact, partOf(run, 0.6, 0.9));
    addEntries(made, exact, run.quiet());
    made.baseline = meanSquareGap(exact.out, Matrix<double>(exact.out.rows(), exact.out.cols()));
    return made;
  }

private:
  LinearOptions linear(const Run& run) const { return {spec_.causal, true, run.threads}; }

  Exact exactOf(const Run& run) {
    if (spec_.kernel != Kernel::Gaussian)
      return exactSoftmax(in_, spec_.causal, run);
    pattern_ =
        prepare(spec_.causal ? Pattern(Causal{}) : Pattern(Full{}), squareLengths(in_.q.rows()));
    return exactGaussian(in_, *pattern_, run);
  }

  // Outputs and normalisers of all rows.
  void addRows(KernelMatrices& made, const Exact& exact, const Run& run) const {
    const auto estimate = featureAttention<double>(in_.q.view(), in_.k.view(), in_.v.view(), w_,
                                                   features_, linear(run), run);
    addNormalisers(made, estimate.denominators, exact.normalisers, hasExactNormalisers(spec_));
    made.negativeRows = static_cast<Index>(estimate.negativeRows.size());
    made.zeroRows = static_cast<Index>(estimate.zeroRows.size());
    made.nonFiniteRows = static_cast<Index>(estimate.nonFiniteRows.size());
    made.outputError = meanSquareGap(estimate.out, exact.out);
  }

  void addEntries(KernelMatrices& made, const Exact& exact, const Run& run) const {
    const Index cells = std::min(spec_.cells, made.n);
    const auto side = [&](const Matrix<double>& x, FeatureRole role) {
      return featuresOf<double>(x.view(), w_, features_, role, run.threads, run);
    };
    const auto q = side(in_.q, FeatureRole::Query);
    const auto k = side(in_.k, FeatureRole::Key);
    ImpliedMatrix<double> a = exact.rows;
    a.rows = cells;
    addCells(made, wholeMatrix(a, run.threads, run), estimateOf(q, k, cells, run), cells);
  }

  // The first rows of D⁻¹ Q' K'ᵀ. In parts of few keys: with many features all of K' is large, and
  // their product long.
  Matrix<double> estimateOf(FeatureSource<double> q, const FeatureSource<double>& k, Index cells,
                            const Run& run) const {
    constexpr Index kKeys = 256;
    q.rows = cells;
    const Matrix<double> queries = featureMatrix(q, run.threads, run.quiet());
    Matrix<double> rows(cells, k.rows);
    for (Index begin = 0; begin < k.rows; begin += kKeys) {
      run.report(static_cast<double>(begin) / static_cast<double>(k.rows));
      const FeatureSource<double> keys{
          std::min(kKeys, k.rows - begin), k.features,
          [&](Index b, Index e, MatrixView<double> out) { k.block(begin + b, begin + e, out); }};
      const Matrix<double> part =
          impliedByFeatures(sourceOf(queries.view()), keys, {false, false, run.threads})
              .rowsAt(0, cells);
      for (Index i = 0; i < cells; ++i)
        for (Index j = 0; j < keys.rows; ++j)
          rows(i, begin + j) = spec_.causal && begin + j > i ? 0 : part(i, j);
    }
    for (Index i = 0; i < cells; ++i)
      normalise(rows.view().row(i));
    return rows;
  }

  const KernelsSpec& spec_;
  const KernelErrorInput& in_;
  FeatureOptions features_;
  bool drawn_; // whether the features take projections
  Matrix<double> w_;
  std::shared_ptr<const Prepared> pattern_; // that rows of the gaussian kernel read
};

} // namespace

KernelMatrices kernelMatrices(const KernelsQuestion& question, const ModelHead& input,
                              const Run& run) {
  const KernelErrorInput in = kernelsSource(question, input, run.quiet())(0);
  return MatricesMaker(question.spec, in, run.quiet()).make(run);
}

std::optional<double> medianNormaliser(const KernelMatrices& matrices) {
  std::vector<double> sorted = matrices.normalisers;
  std::erase_if(sorted, [](double d) { return std::isnan(d); });
  if (sorted.empty())
    return std::nullopt;
  std::sort(sorted.begin(), sorted.end());
  return quantileOf(sorted, 0.5);
}

std::optional<double> vanishingNormaliser(const KernelMatrices& matrices) {
  constexpr double kVisible = 0.02; // of the exact one
  const auto median = matrices.overExact ? medianNormaliser(matrices) : std::nullopt;
  return median && *median > 0 && *median < kVisible ? median : std::nullopt;
}

} // namespace attention
