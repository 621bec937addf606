#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/view/problem_note.h"
#include "app/gui/widgets/words.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::array kErrorFormulas{"Ô = D⁻¹ Q′ (K′ᵀ V)", "Q′ = φ(Q), K′ = φ(K)",
                                    "E φ(q)·φ(k) = exp(q·k / √d)"};
constexpr std::array kEntryFormulas{"trig  ½ m⁻¹ eˢ SM⁻² (1 − e⁻ᵗ)²", "pos   m⁻¹ eˢ SM² (1 − e⁻ˢ)",
                                    "s = |q+k|², t = |q−k|²", "SM = exp(q·k)"};
constexpr std::array kLayerFormulas{"Q, K, V = X W", "X ← X + attention(Q, K, V)",
                                    "rows of X scaled to one size"};
constexpr std::array kMatrixFormulas{"A = softmax(Q Kᵀ / √d)", "Â = D⁻¹ Q′ K′ᵀ",
                                     "D = diag(Q′ K′ᵀ 1)"};
constexpr std::array kNormaliserFormulas{"dᵢ = Σⱼ φ(qᵢ)·φ(kⱼ)", "exact: Σⱼ exp(qᵢ·kⱼ / √d)"};
constexpr std::array kRatioFormulas{"r = MSE trig / MSE pos", "  = ½ exp(4l²) (1−e⁻ᵗ)² / (e²ˢ−eˢ)",
                                    "s = 2l² (1 + cos φ)", "t = 2l² (1 − cos φ)"};
constexpr std::array kOrderFormulas{"(Q′ K′ᵀ) V = Q′ (K′ᵀ V)", "L² (m + d)  or  2 L m d"};
constexpr std::array kSpectrumFormulas{"A = U Σ Vᵀ, σ₁ ≥ σ₂ ≥ …", "|A − Aₘ| = √ Σ σₖ², k > m"};

Definition definitionOf(const KernelsSpec& spec) {
  switch (spec.picture) {
  case KernelsPicture::Error:
    if (spec.errorOf == KernelsErrorOf::Entries)
      return {kEntryFormulas,
              "Mean squared errors of m iid projections, vectors over d^¼; "
              "orthogonal ones add the covariance of rows in a block.",
              "Choromanski et al. 2021, Lemma 2 and Theorem 2"};
    if (spec.errorOf == KernelsErrorOf::Layers)
      return {kLayerFormulas,
              "Two stacks with the same drawn weights: one with exact attention, one with "
              "features, whose errors each layer hands on.",
              "Choromanski et al. 2021, appendix, figure 14"};
    return {kErrorFormulas,
            "Features φ whose inner products are the kernel on average; the "
            "quotient by D is not unbiased.",
            "Choromanski et al. 2021, figure 4"};
  case KernelsPicture::Matrices:
    return {kMatrixFormulas,
            "Attention as a matrix, and the one that features multiply V with "
            "without ever making it.",
            "Choromanski et al. 2021, equations 1 and 4"};
  case KernelsPicture::Normalisers:
    return {kNormaliserFormulas,
            "Trigonometric features are not positive, so a sum of them may "
            "be near zero or below it.",
            "Choromanski et al. 2021, section 2.3"};
  case KernelsPicture::Ratio:
    return {kRatioFormulas, "For two vectors of length l at the angle φ, the same for any m.",
            "Choromanski et al. 2021, Lemma 2 and figure 2"};
  case KernelsPicture::Order:
    return {kOrderFormulas,
            "Without softmax between them the products may be taken in either "
            "order; causal attention takes running sums.",
            "Choromanski et al. 2021, figure 1; Katharopoulos et al. 2020"};
  case KernelsPicture::Spectrum:
    break;
  }
  return {kSpectrumFormulas, "The best matrix of rank m keeps the m largest singular values.",
          "Eckart and Young 1936; Wang et al. 2020 (Linformer)"};
}

} // namespace

void drawKernelsFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const auto& shown = c.results.kernels.shown;
  if (shown && shown->spec.picture == c.scene.kernels.picture && !c.results.kernels.problem) {
    drawFacts(ui, shown->factsHeading, shown->facts);
    for (const std::string& warning : shown->warnings)
      note(ui, NoteKind::Warning, warning);
    if (c.results.kernels.pending())
      caption(ui, "computing …");
    else if (isStopped(c.results.kernels.sweep.problem))
      note(ui, stoppedByUser());
    drawReadThis(ui, shown->reading);
    space(ui, 6);
  }
  drawDefinition(c, definitionOf(c.scene.kernels));
}

} // namespace attention::gui
