#include "app/gui/panels/facts_parts.h"
#include "app/gui/views/heads/head_list_view.h"
#include "app/gui/widgets/words.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::array kFormulas{"itself: pᵢᵢ", "previous: pᵢ,ᵢ₋₁", "first: pᵢ₀",
                               "nearby: Σ pᵢⱼ over |i − j| ≤ w", "entropy: −Σ pᵢⱼ ln pᵢⱼ"};

constexpr Definition kDefinition{
    kFormulas,
    "All are means over the queries. Same token: the weight on earlier positions with the query's "
    "token. Induction: on the tokens that followed these. Captured: what the pattern keeps.",
    "Induction heads: Olsson et al. 2022"};

} // namespace

void drawHeadListFacts(const PanelContext& c) {
  const HeadListResults& list = c.results.part<HeadListResults>();
  if (list.shown && !list.problem) {
    drawReadThis(c.ui, list.shown->reading);
    if (list.pending())
      caption(c.ui, "computing …");
    space(c.ui, 6);
  }
  drawDefinition(c, kDefinition);
}

} // namespace attention::gui
