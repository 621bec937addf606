#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/kernels/kernels_view.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/views/kernels/scene_kernels.h"

#include <array>
#include <vector>

namespace attention::gui {
namespace {

constexpr std::array kErrorFormulas{"Ô = D⁻¹ Q′ (K′ᵀ V)", "Q′ = φ(Q), K′ = φ(K)",
                                    "E φ(q)·φ(k) = exp(q·k / √d)"};
constexpr std::array kEntryFormulas{"trig  ½ m⁻¹ eˢ SM⁻² (1 − e⁻ᵗ)²", "pos   m⁻¹ eˢ SM² (1 − e⁻ˢ)",
                                    "s = |q+k|², t = |q−k|²", "SM = exp(q·k)",
                                    "hyp   ½ (1 − e⁻ˢ) pos"};
constexpr std::array kLayerFormulas{"Q, K, V = X W", "X ← X + attention(Q, K, V)",
                                    "rows of X scaled to one size"};
constexpr std::array kRatioFormulas{"r = MSE trig / MSE pos", "  = ½ exp(4ℓ²) (1−e⁻ᵗ)² / (e²ˢ−eˢ)",
                                    "s = 2ℓ² (1 + cos φ)", "t = 2ℓ² (1 − cos φ)"};
constexpr const char* kOrders = "(Q′ K′ᵀ) V = Q′ (K′ᵀ V)";
constexpr std::array kOrderFormulas{kOrders, "L² (m + d)  or  2 L m d"};
constexpr std::array kCausalOrderFormulas{kOrders, "½ L (L+1) (m + d)  or  2 L m d"};
constexpr std::array kSpectrumFormulas{"A = U Σ Vᵀ, σ₁ ≥ σ₂ ≥ …", "|A − Aₘ| = √ Σ σₖ², k > m"};

// For a kernel and its features, as in the matrices and normalisers.
struct EstimateWords {
  const char* matrix;     // A, with which Â is compared
  const char* normaliser; // the exact one
  const char* features;   // of x = q or k
  const char* signs;      // of sums of the features' products
  const char* beside;     // what A and Â are
  const char* source;
};

constexpr const char* kEstimated =
    "The attention matrix, and its estimate, by which features multiply V without ever building "
    "it. x is q or k divided by d^¼.";
constexpr const char* kBeside = "Softmax attention beside attention with another kernel. That "
                                "kernel's features are exact, so Â does not estimate A.";
constexpr const char* kSoftmax = "A = softmax(Q Kᵀ / √d)";
constexpr const char* kSoftmaxSum = "exact: Σⱼ exp(qᵢ·kⱼ / √d)";
constexpr const char* kPositiveSigns =
    "Exponentials are positive, and so are all sums of them. x is q or k divided by d^¼.";
constexpr const char* kTrigSigns = "Trigonometric features are not positive, so a sum of them may "
                                   "be near zero or below it. x is q or k divided by d^¼.";

EstimateWords wordsOf(FeatureMap map) {
  constexpr const char* kFeatures = "Choromanski et al. 2021, section 2.3";
  switch (map) {
  case FeatureMap::GaussianTrig:
    return {"A = D⁻¹ exp(−|qᵢ−kⱼ|² / (2√d))",
            "exact: Σⱼ exp(−|qᵢ−kⱼ|² / (2√d))",
            "φ(x) ∝ (cos Wx, sin Wx)",
            kTrigSigns,
            kEstimated,
            kFeatures};
  case FeatureMap::Positive:
    return {kSoftmax,       kSoftmaxSum, "φ(x) ∝ exp(Wx − |x|²/2)",
            kPositiveSigns, kEstimated,  kFeatures};
  case FeatureMap::Hyperbolic:
    return {kSoftmax,       kSoftmaxSum, "φ(x) ∝ exp(±Wx − |x|²/2)",
            kPositiveSigns, kEstimated,  kFeatures};
  case FeatureMap::Elu1:
    return {kSoftmax,
            nullptr,
            "φ(x) = elu(x) + 1",
            "elu + 1 is positive, and so is every sum.",
            kBeside,
            "Katharopoulos et al. 2020"};
  case FeatureMap::Relu:
    return {kSoftmax,
            nullptr,
            "φ(x) = max(x, 0)",
            "No product of such features is below zero; where all are zero, so is the sum.",
            kBeside,
            "Choromanski et al. 2021, section 2.2"};
  case FeatureMap::Trig:
    break;
  }
  return {kSoftmax,   kSoftmaxSum, "φ(x) ∝ exp(|x|²/2) (cos Wx, sin Wx)",
          kTrigSigns, kEstimated,  kFeatures};
}

// The formulas of an estimate; its words must outlive them.
std::array<const char*, 3> formulasOf(const KernelsSpec& spec, const EstimateWords& words) {
  if (spec.picture == KernelsPicture::Matrices)
    return {words.matrix, "Â = D⁻¹ Q′ K′ᵀ, D = diag(Q′ K′ᵀ 1)", words.features};
  return {"dᵢ = Σⱼ φ(qᵢ)·φ(kⱼ)",
          hasExactNormalisers(spec) ? words.normaliser : "shown: dᵢ over the mean of |dᵢ|",
          words.features};
}

// Adds what sums run over if they are causal; the order of products has its own causal formulas,
// and the ratio is about two vectors.
void drawSums(const PanelContext& c, Definition definition) {
  const KernelsSpec& spec = c.scene.kernels;
  std::vector<const char*> formulas(definition.formulas.begin(), definition.formulas.end());
  const bool ordered =
      spec.picture == KernelsPicture::Order || spec.picture == KernelsPicture::Ratio;
  if (spec.causal && !ordered)
    formulas.push_back("causal: only keys j ≤ i");
  definition.formulas = formulas;
  drawDefinition(c, definition);
}

bool showsEstimate(const KernelsSpec& spec) {
  return spec.picture == KernelsPicture::Matrices || spec.picture == KernelsPicture::Normalisers;
}

void drawEstimateDefinition(const PanelContext& c) {
  const KernelsSpec& spec = c.scene.kernels;
  const EstimateWords words = wordsOf(currentMap(spec));
  const auto formulas = formulasOf(spec, words);
  const bool matrices = spec.picture == KernelsPicture::Matrices;
  drawSums(c, {formulas, matrices ? words.beside : words.signs, words.source});
}

std::span<const char* const> entryFormulas(const KernelsCompared& compared) {
  const std::span<const char* const> all = kEntryFormulas;
  return compared.hyperbolic ? all : all.first(all.size() - 1);
}

Definition definitionOf(const KernelsSpec& spec) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    if (spec.errorOf == KernelsErrorOf::Entries)
      return {entryFormulas(spec.compared),
              "Mean squared errors with m independent (iid) projections of vectors divided by d^¼; "
              "orthogonal projections add the covariance of rows within a block.",
              "Choromanski et al. 2021, Lemma 2 and Theorem 2"};
    if (spec.errorOf == KernelsErrorOf::Layers)
      return {kLayerFormulas,
              "Two stacks with the same random weights: one with exact attention, one with "
              "features, where each layer passes its error on.",
              "Choromanski et al. 2021, appendix, figure 14"};
    return {kErrorFormulas,
            "On average the inner products of the features φ equal the kernel; dividing by D adds "
            "a bias.",
            "Choromanski et al. 2021, figure 4"};
  case KernelsPicture::Ratio:
    return {kRatioFormulas,
            "For two vectors of length ℓ at an angle φ; the ratio is the same for any m.",
            "Choromanski et al. 2021, Lemma 2 and figure 2"};
  case KernelsPicture::Order:
    return {spec.causal ? std::span<const char* const>(kCausalOrderFormulas) : kOrderFormulas,
            "Without a softmax between them, the products may be taken in either order; causal "
            "attention takes running sums. m is the length of φ(x).",
            "Choromanski et al. 2021, figure 1; Katharopoulos et al. 2020"};
  case KernelsPicture::Matrices:
  case KernelsPicture::Normalisers: // drawEstimateDefinition
  case KernelsPicture::Spectrum:
    break;
  }
  return {kSpectrumFormulas, "The best matrix of rank m keeps the m largest singular values.",
          "Eckart and Young 1936; Wang et al. 2020 (Linformer)"};
}

} // namespace

std::string kernelsSource(const Scene& scene) {
  const KernelsSpec& spec = scene.kernels;
  return showsEstimate(spec) ? wordsOf(currentMap(spec)).source : definitionOf(spec).source;
}

void drawKernelsFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const KernelsResults& kernels = c.results.part<KernelsResults>();
  const auto& shown = kernels.shown;
  if (shown && shown->spec.picture == c.scene.kernels.picture && !kernels.problem) {
    drawFacts(ui, shown->facts);
    drawUnderWay(ui, kernels.pending(), isStopped(kernels.sweep.problem));
    drawReadThis(ui, shown->reading);
    space(ui, 6);
  }
  if (showsEstimate(c.scene.kernels))
    drawEstimateDefinition(c);
  else
    drawSums(c, definitionOf(c.scene.kernels));
}

} // namespace attention::gui
