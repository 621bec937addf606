#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/steps/steps_view.h"
#include "app/gui/widgets/words.h"

#include <array>
#include <span>

namespace attention::gui {
namespace {

constexpr std::array kSoftmaxFormulas{"sⱼ = q·kⱼ / √d",
                                      "pⱼ = exp(sⱼ − m) / Σ exp(sₖ − m), m = max s",
                                      "o = Σ pⱼ vⱼ over the keys that the query sees"};
constexpr std::array kOnlineFormulas{"m' = max(m, max sⱼ of the tile)", "c = exp(m − m')",
                                     "l' = c l + Σ exp(sⱼ − m')", "o' = c o + Σ exp(sⱼ − m') vⱼ"};
constexpr std::array kFeatureFormulas{"aⱼ = φ(q)·φ(kⱼ)", "o = Σ aⱼ vⱼ / Σ aⱼ",
                                      "= φ(q)ᵀ (Σ φ(kⱼ) vⱼᵀ) / φ(q)·(Σ φ(kⱼ))"};
constexpr std::array kUndividedFormulas{"aⱼ = φ(q)·φ(kⱼ)", "o = Σ aⱼ vⱼ, not divided by Σ aⱼ",
                                        "= φ(q)ᵀ (Σ φ(kⱼ) vⱼᵀ)"};

Definition definitionOf(const StepsSpec& spec) {
  const std::span<const char* const> features =
      spec.normalized ? std::span<const char* const>(kFeatureFormulas) : kUndividedFormulas;
  switch (spec.by) {
  case StepsBy::Online:
    return {kOnlineFormulas, "m, l and o run over the tiles; the output is o / l at the end.",
            "Milakov and Gimelshein 2018; Dao et al. 2022 (FlashAttention)"};
  case StepsBy::Linear:
    return {features,
            "φ(x) = elu(x) + 1 in every coordinate. Computed from the right, the sums "
            "serve all queries.",
            "Katharopoulos et al. 2020"};
  case StepsBy::Features:
    return {features,
            "φ are positive random features, whose inner product estimates exp(q·k / "
            "√d).",
            "Choromanski et al. 2021 (Performer)"};
  case StepsBy::Softmax:
    break;
  }
  return {kSoftmaxFormulas, "Keys that the pattern hides have sⱼ = −∞, and so the weight 0.",
          "Vaswani et al. 2017, equation 1"};
}

} // namespace

void drawStepsFacts(const PanelContext& c) {
  const StepsResults& steps = c.results.part<StepsResults>();
  if (steps.shown && !steps.problem) {
    drawReadThis(c.ui, steps.shown->reading);
    space(c.ui, 6);
    if (!steps.shown->facts.lines.empty())
      drawFacts(c.ui, steps.shown->facts);
    if (steps.pending())
      caption(c.ui, "computing …");
    space(c.ui, 6);
  }
  drawDefinition(c, definitionOf(c.scene.attention.steps));
}

} // namespace attention::gui
