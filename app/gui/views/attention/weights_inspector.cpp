#include "app/gui/interface/jargon.h"
#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/views/attention/weights_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/branch_layers.h"

#include <array>

namespace attention::gui {
namespace {

constexpr std::array kFormulas{"pᵢⱼ = exp(sᵢⱼ) / Σ exp(sᵢₖ), k ∈ Sᵢ", "sᵢⱼ = qᵢ·kⱼ / √d",
                               "captured: Σ p*ᵢⱼ over j ∈ Sᵢ", "error: |oᵢ − o*ᵢ| / |o*ᵢ|",
                               "entropy: −Σ pᵢⱼ ln pᵢⱼ"};

// “river”, or nothing if the token has no word.
std::string wordOf(const AttentionLook& look, Index token) {
  const auto at = static_cast<std::size_t>(token);
  return at < look.names.size() ? "“" + visibleText(look.names[at]) + "”" : "";
}

std::string keyText(const AttentionLook& look, Index key) {
  const std::string word = wordOf(look, key);
  return groupDigits(key) + (word.empty() ? "" : " ") + word;
}

void measuresOf(const Ui& ui, const AttentionHead& head, Index query) {
  const auto at = static_cast<std::size_t>(query);
  const QueryMeasures& of = head.measures;
  valueRow(ui, "captured mass", shortNumber(of.captured[at], 3),
           explained("Of this query.", jargon::kCapturedMass));
  if (!of.error.empty())
    valueRow(ui, "output error", shortNumber(of.error[at], 3),
             explained("|oᵢ − oᵢ*| / |oᵢ*|, of this query.", jargon::kOutputError));
  valueRow(ui, "entropy",
           shortNumber(of.denseEntropy[at], 3) + " → " + shortNumber(of.patternEntropy[at], 3),
           explained("Of dense attention, and through the pattern.", jargon::kEntropy));
}

// The cell that is pointed at, in all matrices.
void cellOf(const PanelContext& c, const AttentionRow& row, const AttentionLook& look,
            const HeadWeights& weights) {
  const std::optional<Index>& key =
      c.results.cell ? std::optional(c.results.cell->key) : c.scene.pins.key;
  if (!key || *key < 0 || *key >= static_cast<Index>(row.dense.size()))
    return;
  const auto at = static_cast<std::size_t>(*key);
  const auto dense = static_cast<double>(row.dense[at]);
  const auto kept = static_cast<double>(row.pattern[at]);
  caption(c.ui, "on key " + keyText(look, *key));
  valueRow(c.ui, "weight, " + std::string(name(weights.base())), shortNumber(dense, 3),
           "p of dense attention");
  valueRow(c.ui, "weight, pattern", shortNumber(kept, 3), "p through the pattern");
  valueRow(c.ui, "difference", (kept > dense ? "+" : "") + shortNumber(kept - dense, 3),
           "Pattern minus dense");
}

// The keys with the largest weights, and whether the pattern admits them.
void topOf(const PanelContext& c, const AttentionRow& row, const AttentionLook& look,
           const HeadWeights& weights) {
  caption(c.ui, "largest weights → through the pattern");
  for (const TopKey& top : row.top) {
    const Prepared& pattern = *weights.pattern();
    const bool kept = pattern.contains(row.query, top.key);
    const bool within = !layersAt(pattern, row.query, top.key).empty();
    valueRow(c.ui, (kept ? "✓ " : "✗ ") + keyText(look, top.key),
             shortNumber(static_cast<double>(top.dense), 3) + " → " +
                 shortNumber(static_cast<double>(top.pattern), 3),
             kept     ? "The pattern admits this key"
             : within ? "The pattern reads this key only as part of a mean"
                      : "The pattern leaves this key out");
  }
}

void drawQuery(const PanelContext& c, const AttentionShown& shown) {
  const Ui& ui = c.ui;
  const auto& row = c.results.part<AttentionResults>().row;
  const auto& head = c.results.part<AttentionResults>().head;
  if (!row || !head || head.stale) {
    sectionHeading(ui, "Query");
    const Card card(ui, "query");
    caption(ui, "Point at a cell, a curve or a token to list its query's strongest keys here. A "
                "click pins the query.");
    return;
  }
  if (row->query >= static_cast<Index>(head->measures.captured.size()))
    return; // of the head before
  sectionHeading(ui, "Query " + groupDigits(row->query),
                 shown.look.square ? wordOf(shown.look, row->query) : std::string());
  const Card card(ui, "query");
  cellOf(c, *row, shown.look, *head->weights);
  measuresOf(ui, *head.value, row->query);
  topOf(c, *row, shown.look, *head->weights);
}

constexpr Definition kDefinition{
    kFormulas,
    "p* and o* are the weights and outputs of dense attention, over all keys or those with j ≤ i; "
    "p and o are those of the softmax over only the pattern's keys; NSA adds several softmaxes, "
    "each weighted by its gate, and p is a key's total weight in that sum. If the input holds "
    "attention weights instead of Q and K, p is p* cut to the pattern and normalised again.",
    "Vaswani et al. 2017, equation 1; lines after Vig 2019 (BertViz)"};

} // namespace

void drawWeightsFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const AttentionResults& attention = c.results.part<AttentionResults>();
  const auto& shown = attention.shown;
  if (shown && shown->spec.picture == c.scene.attention.picture && !attention.problem) {
    if (shown->answer.head) {
      const Steady steady(c, static_cast<int>(c.scene.attention.picture));
      drawQuery(c, *shown);
      space(ui, 6);
    }
    drawReadThis(ui, shown->reading);
    space(ui, 6);
    drawFacts(ui, shown->facts);
    for (const std::string& words : shown->notes)
      note(ui, NoteKind::Info, words);
    drawUnderWay(ui, attention.pending(),
                 isStopped(attention.head.problem) || isStopped(attention.sketches.problem));
    space(ui, 6);
  }
  drawDefinition(c, kDefinition);
}

} // namespace attention::gui
