#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/text/text_view.h"
#include "app/gui/widgets/words.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::array kFormulas{"pᵢⱼ = exp(sᵢⱼ) / Σ exp(sᵢₖ), k ∈ Sᵢ",
                               "rollout: Ã_T ⋯ Ã_1, Ã = (A + I) / 2"};

constexpr Definition kDefinition{
    kFormulas,
    "Words are shaded by p over the pattern's keys; those that the pattern hides are underlined by "
    "their weight over all keys. Rollout multiplies the means of the heads, layer by layer.",
    "Vaswani et al. 2017, equation 1; Abnar and Zuidema 2020"};

} // namespace

void drawTextFacts(const PanelContext& c) {
  const TextResults& text = c.results.part<TextResults>();
  if (text.shown && !text.problem) {
    const Steady steady(c, static_cast<int>(c.scene.attention.picture));
    drawReadThis(c.ui, text.shown->reading);
    if (text.pending())
      caption(c.ui, "computing …");
    space(c.ui, 6);
  }
  drawDefinition(c, kDefinition);
}

} // namespace attention::gui
