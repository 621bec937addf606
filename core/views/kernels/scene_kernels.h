// What the Kernels view of a Scene shows, computed: the window draws it and files are made of it.
// Each part has a question, which holds exactly what the part reads of the Scene, so that equal
// questions have equal answers.
#pragma once

#include "core/analysis/kernel_error.h"
#include "core/analysis/layer_error.h"
#include "core/analysis/low_rank.h"
#include "core/analysis/product_order.h"
#include "core/input/input.h"
#include "core/plot/display_list.h"
#include "core/scene/input_data.h"
#include "core/scene/kernels_spec.h"
#include "core/scene/scene.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace attention {

constexpr Index kMostSpectrumTokens = 512; // the number of first tokens with all singular values

struct KernelsQuestion {
  KernelsSpec spec; // fields that the part does not read have their defaults
  Index n = 0;      // of the loaded input; 0 where Q, K, V are drawn
  bool operator==(const KernelsQuestion&) const = default;
};

// The curves of errors, A and its estimate with the normalisers, the singular values. E_RANGE names
// the field that is out of bounds.
KernelsQuestion sweepQuestion(const Scene& scene, const Lengths& lengths);
KernelsQuestion matricesQuestion(const Scene& scene, const Lengths& lengths);
KernelsQuestion spectrumQuestion(const Scene& scene, const Lengths& lengths);

// Q, K, V of a repeat: drawn as in S7.6, or the first n tokens of the loaded head, the same for all
// repeats. E_UNSUPPORTED: nothing loaded, or only weights; E_SHAPE: shorter than n.
KernelErrorSource kernelsSource(const KernelsQuestion& question, const ModelHead& input,
                                const Run& run = {});

// The sweep that the spec asks for: curves as in `compared`, numbers of projections ascending.
KernelErrorOptions sweepOptions(const KernelsSpec& spec);

// The curves with everything they were made from.
struct KernelSweep {
  KernelErrorOptions options;
  KernelErrorResult result;
  Index n = 0;
  Index d = 0;
  std::string data;                  // "L 1024, d 16, sigma 0.5": what was drawn, or the input
  std::vector<LayerErrorRow> layers; // of a stack, and no `result` then
};
// `onPart` is called with the sweep so far whenever a number of projections is complete.
// E_UNSUPPORTED: a stack of layers over a loaded input, since its next layers are unknown.
KernelSweep kernelSweep(const KernelsQuestion& question, const ModelHead& input,
                        const std::function<void(const KernelSweep&)>& onPart = {},
                        const Run& run = {});

// A, its estimate Â = D⁻¹ Q' K'ᵀ, and the rows' normalisers. A is softmax attention, of the kernel
// gaussian where that is chosen.
struct KernelMatrices {
  Index n = 0;
  Index d = 0;
  Index dv = 0;
  Index projections = 0;                      // 0 if the features take none
  Index features = 0;                         // m
  std::string label;                          // of the estimate: "positive, orthogonal"
  std::shared_ptr<const Matrix<float>> exact; // the first cells × cells entries, as the others
  std::shared_ptr<const Matrix<float>> estimate;
  std::shared_ptr<const Matrix<float>> error; // |A − Â|
  float top = 0;                              // the largest entry of `exact`
  double relativeError = 0;        // |A − Â|_F / |A|_F of the shown rows, over all their keys
  Index negativeEntries = 0;       // of Â, among the shown
  std::vector<double> normalisers; // n: over the exact ones, else over their mean size
  bool overExact = false;
  Index negativeRows = 0;
  Index zeroRows = 0;
  Index nonFiniteRows = 0;
  double outputError = 0; // mean squared, of this draw
  double baseline = 0;    // of an all-zero output
};
KernelMatrices kernelMatrices(const KernelsQuestion& question, const ModelHead& input,
                              const Run& run = {});

// The median of all normalisers that are numbers; nothing where none is.
std::optional<double> medianNormaliser(const KernelMatrices& matrices);
// The same where it is so far below the exact ones that most bars have no height, as with inputs
// with large norms; else nothing.
std::optional<double> vanishingNormaliser(const KernelMatrices& matrices);

// The least error of any matrix of rank m, and the errors of others of rank at most m: features
// with m numbers, Linformer with k = m. Errors are |A − Â|_F / |A|_F.
struct RankCurve {
  std::optional<Estimator> estimator; // none: Linformer
  std::vector<Point> points;          // rank, error
};
struct KernelSpectrum {
  Index n = 0;   // of A: the first of all tokens
  Index all = 0; // number of all tokens
  LowRankObject object = LowRankObject::Softmax;
  bool causal = false;
  std::vector<double> values; // σ, falling
  std::vector<Point> best;    // rank ≥ 1, error
  std::vector<RankCurve> others;
};
KernelSpectrum kernelSpectrum(const KernelsQuestion& question, const ModelHead& input,
                              const Run& run = {});

// The shapes for the order of multiplication. E_UNSUPPORTED as kernelsSource.
ProductShapes productShapes(const Scene& scene, const Lengths& lengths, const Input* input);

// The features that the estimate of a spec uses, and their name: "elu + 1".
FeatureMap currentMap(const KernelsSpec& spec);
std::string labelOfEstimate(const KernelsSpec& spec);

// ---- what the pictures of matrices and of their spectra share ----

// The projections of repeat 0 of the sweep: v × d.
Matrix<double> projectionsOf(const KernelsSpec& spec, const Estimator& of, Index projections,
                             Index d, const Run& run);

// 1 / √d.
double scaleFor(const KernelErrorInput& in);

// |A − B|_F / |A|_F; +∞ where an entry is not finite.
double relativeDistance(const Matrix<double>& a, const Matrix<double>& b);

// ---- what is said about the estimate ----

// Whether the spec's picture, or the words about it, read m: the number of projections, or the
// rank.
bool readsProjections(const KernelsSpec& spec);
// Whether normalisers are shown divided by the exact ones: only for the same kernel and without a
// stabiliser's scale.
bool hasExactNormalisers(const KernelsSpec& spec);

// "exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ".
std::array<std::string, 4> matrixTitles(const KernelsSpec& spec);

} // namespace attention
