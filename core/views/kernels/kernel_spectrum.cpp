// Singular values of attention, and what matrices of low rank make of it (scene_kernels.h).
#include "core/attention/features/feature_map.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/linformer.h"
#include "core/support/part_of_run.h"
#include "core/support/products.h"
#include "core/views/kernels/scene_kernels.h"

#include <algorithm>
#include <utility>

namespace attention {
namespace {

class Spectra {
public:
  Spectra(const KernelsSpec& spec, const KernelErrorInput& in)
      : spec_(spec), in_{firstRows(in.q), firstRows(in.k), firstRows(in.v)} {
    made_.n = in_.q.rows();
    made_.all = in.q.rows();
    made_.object = spec_.exponentials ? LowRankObject::Exponentials : LowRankObject::Softmax;
    made_.causal = spec_.causal;
  }

  KernelSpectrum make(const std::vector<Estimator>& estimators, const std::vector<Index>& ranks,
                      const Run& run) {
    a_ = wholeMatrix(
        attentionRows(in_.q.view(), in_.k.view(), {scaleFor(in_)}, made_.object, made_.causal),
        run.threads, partOf(run, 0, 0.1));
    made_.values = singularValues(a_, partOf(run, 0.1, 0.5));
    const RankErrors errors = rankErrors(made_.values);
    for (std::size_t m = 1; m < errors.frobenius.size(); ++m)
      made_.best.push_back(
          {static_cast<double>(m), errors.frobenius[m] / errors.frobenius.front()});
    const Run rest = partOf(run, 0.5, 1);
    const auto curves = static_cast<Index>(estimators.size());
    for (Index c = 0; c < curves; ++c)
      addFeatures(estimators[static_cast<std::size_t>(c)], ranks, stepOf(rest, c, curves));
    if (!made_.causal && !spec_.exponentials)
      addLinformer(ranks, run);
    return std::move(made_);
  }

private:
  static Matrix<double> firstRows(const Matrix<double>& of) {
    const Index n = std::min(of.rows(), kMostSpectrumTokens);
    return {n, of.cols(), {of.data(), of.data() + n * of.cols()}};
  }

  double errorOf(const ImpliedMatrix<double>& matrix, const Run& run) const {
    return relativeDistance(a_, wholeMatrix(matrix, run.threads, run.quiet()));
  }

  void addFeatures(const Estimator& of, const std::vector<Index>& ranks, const Run& run) {
    RankCurve curve{of, {}};
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      run.report(static_cast<double>(r) / static_cast<double>(ranks.size()));
      const Matrix<double> w = projectionsOf(spec_, of, ranks[r], in_.q.cols(), run);
      FeatureOptions options;
      options.map = of.map;
      const auto q = featuresOf<double>(in_.q.view(), w, options, FeatureRole::Query, run.threads,
                                        run.quiet());
      const auto k =
          featuresOf<double>(in_.k.view(), w, options, FeatureRole::Key, run.threads, run.quiet());
      const LinearOptions linear{made_.causal, !spec_.exponentials, run.threads};
      const double error = errorOf(impliedByFeatures(q, k, linear), run);
      curve.points.push_back({static_cast<double>(q.features), error});
    }
    made_.others.push_back(std::move(curve));
  }

  void addLinformer(const std::vector<Index>& ranks, const Run& run) {
    RankCurve curve;
    const auto seed = static_cast<std::uint64_t>(spec_.seed + spec_.redraws);
    for (const Index rank : ranks) {
      if (rank > made_.n)
        continue;
      const Matrix<double> e = drawLinformer(rank, made_.n, seed, LinformerSide::Keys);
      const Matrix<double> f = drawLinformer(rank, made_.n, seed, LinformerSide::Values);
      Matrix<double> keys(rank, in_.k.cols());
      multiply(e.view(), in_.k.view(), keys.view());
      curve.points.push_back(
          {static_cast<double>(rank),
           errorOf(impliedByLinformer<double>(in_.q.view(), std::as_const(keys).view(), f.view(),
                                              {scaleFor(in_)}),
                   run)});
    }
    made_.others.push_back(std::move(curve));
  }

  const KernelsSpec& spec_;
  const KernelErrorInput in_; // the first tokens
  Matrix<double> a_;
  KernelSpectrum made_;
};

} // namespace

KernelSpectrum kernelSpectrum(const KernelsQuestion& question, const ModelHead& input,
                              const Run& run) {
  const KernelErrorOptions options = sweepOptions(question.spec);
  return Spectra(question.spec, kernelsSource(question, input, run.quiet())(0))
      .make(options.curves, options.projections, run);
}

} // namespace attention
