#include "app/gui/panels/inspector.h"

#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/view/jargon.h"
#include "app/gui/view/problem_note.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/definition.h"
#include "core/pattern/mechanism/all.h"
#include "core/scene/shown_patterns.h"

#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

std::string flopsText(const MaskCounts& counts, const char* base) {
  const double share = counts.baseCost.flops > 0 ? counts.cost.flops / counts.baseCost.flops : 0;
  return countWithUnit(counts.cost.flops) + "  " + percent(share) + " of " + base;
}

// What costs and definition are of: the first mask or the lowest layer.
Pattern firstPattern(const Scene& scene) {
  const std::vector<Panel> drawn = drawnPatterns(scene);
  return drawn.empty() ? scene.pattern : drawn.front().pattern;
}

constexpr float kLeastRead =
    160;                        // of what is read, at scale 1; in less everything scrolls together
constexpr float kExportGap = 6; // between what is read and the pinned export
constexpr float kPage = 0.8F;   // of the height, so that the last lines are seen again

// PageUp and PageDown, since there is nothing here that the keyboard could stand on.
void scrollAsAsked(PanelMemory& memory) {
  const float pages = std::exchange(memory.pagesDown, 0.0F);
  if (pages != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + pages * kPage * ImGui::GetWindowHeight());
}

// Costs and definition are of one pattern where a picture shows several.
void tellWhich(const PanelContext& c) {
  const std::vector<Panel> drawn = drawnPatterns(c.scene);
  if (drawn.size() < 2)
    return;
  const Panel& first = drawn.front();
  if (c.scene.view == View::Reach)
    caption(c.ui, "of the lowest layer, " + titlesOf(drawn).front());
  else
    caption(c.ui, first.title.empty() ? "of the first mask" : "of the first mask, " + first.title);
}

const char* baseName(const Base& base) {
  return base == Base::Causal ? "causal" : "full";
}

} // namespace

void drawMaskFacts(const PanelContext& c) {
  {
    const Steady steady(c);
    drawCell(c);
  }
  space(c.ui, 6);
  drawReading(c);
  drawCost(c);
  space(c.ui, 6);
  drawAgainst(c);
  drawDefinition(c);
}

void drawInspector(const PanelContext& c) {
  const Ui& ui = c.ui;
  const float right = contentRight();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gaps = 2 * ImGui::GetStyle().ItemSpacing.y + ui.px(kExportGap);
  const float rest = std::floor(room.y - exportHeight(ui) - gaps);
  const bool pinned = rest > ui.px(kLeastRead);
  if (pinned) {
    // The scroll bar stands beside what it scrolls.
    beginChild("read", ImVec2(room.x + ui.px(kScrollRoom * 0.6F), rest), false);
    setContentRight(right);
  }
  drawSceneWords(c);
  panelsOf(c.scene.view).facts(c);
  scrollAsAsked(c.memory);
  if (pinned)
    ImGui::EndChild();
  space(ui, kExportGap);
  drawExport(c);
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

void drawReading(const PanelContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  if (!counts || counts->reading.empty() || counts.stale)
    return;
  drawReadThis(c.ui, counts->reading);
  space(c.ui, 6);
}

void drawCost(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Latest<MaskCounts>& counts = c.results.counts;
  const bool earlier = counts && counts.stale;
  const Pattern costly = earlier ? counts->pattern : firstPattern(c.scene);
  sectionHeading(ui, "Cost", description(costly).complexity);
  tellWhich(c);
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
  numberBar(ui, "FLOPs", flopsText(*counts, base), counts->cost.flops / counts->baseCost.flops,
            "Floating point operations of the model 2Pd + 5P + 2Pdᵥ + n dᵥ");
  valueRow(ui, "keys per query",
           groupDigits(counts->rows.minimum) + " … " + groupDigits(counts->rows.maximum) +
               ", mean " + shortNumber(counts->rows.mean),
           "Fewest, most and mean number of keys of a query");
  if (counts->rows.emptyRows > 0)
    note(ui, NoteKind::Warning,
         groupDigits(counts->rows.emptyRows) + " queries attend to nothing; their output is zero");
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
    if (metrics->outputError)
      valueRow(ui, "output error, relative",
               shortNumber(metrics->outputError->relativeFrobenius, 2),
               explained("|O − O*| / |O*|, Frobenius norm.", jargon::kOutputError));
    if (metrics->entropy)
      valueRow(ui, "row entropy, mean", shortNumber(*metrics->entropy, 2) + " nats",
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

void drawDefinition(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Pattern defined = firstPattern(c.scene);
  const Description& d = description(defined);
  sectionHeading(ui, "Definition");
  const Card card(ui, "definition");
  tellWhich(c);
  for (const std::string& line : definitionOf(defined))
    code(ui, line);
  if (const auto* formula = defined.as<Expr>(); formula && formula->expr)
    code(ui, *formula->expr);
  if (!d.source.empty())
    caption(ui, d.source);
  if (!d.conventions.empty())
    caption(ui, d.conventions);
}

} // namespace attention::gui
