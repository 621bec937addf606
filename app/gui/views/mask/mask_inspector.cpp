// The inspector beside the Mask view: the cell and why, what to see, cost, comparison with dense
// attention, definition.
#include "app/gui/interface/jargon.h"
#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/layout.h"
#include "app/gui/views/mask/mask_view.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/branch_layers.h"
#include "core/support/number_text.h"

#include <cmath>

namespace attention::gui {
namespace {

std::string flopsText(const MaskCounts& counts, const char* base) {
  const double share = counts.baseCost.flops > 0 ? counts.cost.flops / counts.baseCost.flops : 0;
  return countWithUnit(counts.cost.flops) + "  " + percent(share) + " of " + base;
}

// Three digits would round a long mean to tens or more, beside exact counts.
std::string meanText(double mean) {
  constexpr double kManyKeys = 1000;
  return mean < kManyKeys ? shortNumber(mean) : groupDigits(static_cast<Index>(std::llround(mean)));
}

const char* baseName(const Base& base) {
  return base == Base::Causal ? "causal" : "full";
}

void drawCell(const PanelContext& c) {
  const Ui& ui = c.ui;
  const auto& cell = c.results.cell;
  if (!cell) {
    sectionHeading(ui, "Query → key");
    const Card card(ui, "cell");
    caption(ui, "Point at a cell of the mask to see whether its query attends to its key, and why. "
                "A click pins the query, Shift+click the key.");
    return;
  }
  sectionHeading(ui, "Query " + groupDigits(cell->query) + " → key " + groupDigits(cell->key));
  const Card card(ui, "cell");
  if (!cell->mask.empty())
    caption(ui, "in " + cell->mask);
  drawVerdict(ui, *cell);
  code(ui, cell->why.text);
  drawTokens(ui, *cell);
  if (c.results.masks.problem)
    caption(ui, ofLastGood(c.results));
  // The pinned query's keys are counted below the matrix.
  if (cell->queryKeys && cell->query != c.scene.pins.query)
    caption(ui, "query " + groupDigits(cell->query) + " attends to " +
                    groupDigits(*cell->queryKeys) + (*cell->queryKeys == 1 ? " key" : " keys"));
}

// What counts and sentences are about where several masks are shown: "of the first mask, Strided",
// "of head 0".
std::string ofFirstMask(const PanelContext& c) {
  const auto& masks = c.results.masks;
  const std::string of = whichOfSeveral(c);
  return of.empty() && masks && masks->tiles.size() > 1 ? "of " + masks->tiles.front().title : of;
}

void drawReading(const PanelContext& c) {
  const std::vector<std::string> sentences = maskReading(c);
  if (sentences.empty())
    return;
  drawReadThis(c.ui, sentences, ofFirstMask(c));
  space(c.ui, 6);
}

void drawCost(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Latest<MaskCounts>& counts = c.results.counts;
  const bool earlier = counts && counts.stale;
  const Pattern costly = earlier ? counts->pattern : firstPattern(c.scene);
  sectionHeading(ui, "Cost", description(costly).complexity);
  if (const std::string of = ofFirstMask(c); !of.empty())
    caption(ui, of);
  if (!counts) {
    caption(ui, counts.pending ? "counting …" : "no counts");
    return;
  }
  const char* base = baseName(counts->base);
  const double share = counts->cells > 0 ? static_cast<double>(counts->rows.pairs) /
                                               static_cast<double>(counts->cells)
                                         : 0;
  const std::string pairs = (counts->rows.exact ? "" : "≈ ") + groupDigits(counts->rows.pairs) +
                            "  " + percent(share) + " of " + base;
  numberBar(ui, "pairs", pairs, share, "Attended pairs (i, j), P");
  if (counts->aheadByHand && counts->rows.pairs > 0)
    note(ui, NoteKind::Info,
         "Shares are of full attention, not of causal, because you drew cells above the diagonal "
         "(j > i). "
         "“keep j ≤ i” erases them.");
  numberBar(
      ui, "FLOPs", flopsText(*counts, base), counts->cost.flops / counts->baseCost.flops,
      "Floating-point operations, by the cost model 2Pd + 5P + 2Pdᵥ + n dᵥ (P pairs, heads of "
      "width d)");
  valueRow(ui, "keys per query",
           groupDigits(counts->rows.minimum) + " … " + groupDigits(counts->rows.maximum) +
               ", mean " + meanText(counts->rows.mean),
           "Fewest, most and mean number of keys of a query");
  if (counts->rows.emptyRows > 0)
    note(ui, NoteKind::Warning,
         counted(counts->rows.emptyRows, "query") +
             agreeing(counts->rows.emptyRows, " attends to nothing; its",
                      " attend to nothing; their") +
             " output is zero");
  if (!counts->rows.exact)
    note(ui, NoteKind::Info, "sampled: counted on some rows and scaled up");
  if (counts.stale)
    caption(ui, counts.pending ? "of the last pattern; counting …" : ofLastGood(c.results));
}

void drawAgainst(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Latest<HeadMetrics>& metrics = c.results.metrics;
  const Latest<HeadAttention>& attention = c.results.attention;
  if (!metrics && !metrics.pending && !attention.pending && !attention.problem && !metrics.problem)
    return;
  const bool causal = metrics && metrics->base == Base::Causal;
  const bool own = metrics && metrics->base.kind == Base::Kind::Own;
  if (own)
    sectionHeading(ui, "Against the model's own attention");
  else if (causal)
    sectionHeading(ui, "Against causal attention", "j ≤ i");
  else
    sectionHeading(ui, "Against full attention", "all j");
  if (metrics) {
    valueRow(
        ui, "captured mass", shortNumber(metrics->capturedMass, 3),
        explained(
            own ? "Mean over the queries; dense attention is the model's own, under its own mask."
            : causal ? "Mean over the queries; dense attention is over the keys j ≤ i."
                     : "Mean over the queries; dense attention is over all keys.",
            jargon::kCapturedMass));
    if (metrics->massOfAll)
      valueRow(ui, "captured, with sink", shortNumber(*metrics->massOfAll, 3),
               {"The same, with the sink's weight included in the total"});
    if (metrics->outputError)
      valueRow(ui, "output error, relative",
               shortNumber(metrics->outputError->relativeFrobenius, 3),
               explained("|O − O*| / |O*|, Frobenius norm.", jargon::kOutputError));
    if (metrics->entropy)
      valueRow(ui, "row entropy, mean", shortNumber(*metrics->entropy, 3) + " nats",
               explained("−Σ p ln p, mean over the queries.", jargon::kEntropy));
  }
  for (const auto* problem : {&attention.problem, &metrics.problem})
    if (*problem)
      note(ui, **problem);
  if (attention.pending || metrics.pending)
    caption(ui, "computing …");
  else if (metrics && metrics.stale)
    caption(ui, ofLastGood(c.results));
  space(ui, 6);
}

} // namespace

std::vector<std::string> maskReading(const PanelContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  std::vector<std::string> sentences;
  if (counts && !counts.stale)
    sentences = counts->reading;
  std::vector<std::string> more = findingsRead(c);
  const auto& weights = c.results.attention;
  if (c.scene.mask.weights != WeightsShown::Off && weights && !weights.stale)
    for (std::string& sentence : weightSentences(*weights->prepared))
      more.push_back(std::move(sentence));
  sentences.insert(sentences.end(), more.begin(), more.end());
  return sentences;
}

void drawMaskFacts(const PanelContext& c) {
  {
    const Steady steady(c);
    drawCell(c);
  }
  space(c.ui, 6);
  drawReading(c);
  drawCheckFacts(c);
  drawTileFacts(c);
  drawRankFacts(c);
  drawCost(c);
  space(c.ui, 6);
  drawAgainst(c);
  drawDefinition(c);
}

} // namespace attention::gui
