#include "app/gui/panels/facts_parts.h"

#include "app/gui/interface/window_view.h"
#include "app/gui/panels/layout.h"
#include "app/gui/platform/utf8.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_title.h"
#include "core/views/scene_words.h"
#include "core/views/shown_patterns.h"
#include "core/views/view_unit.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// Of words on a card.
ImVec4 hueOf(const Ui& ui, std::size_t hue) {
  const auto& series = ui.colors().series;
  return readable(series[hue % series.size()], ui.colors().card);
}

} // namespace

Steady::Steady(const PanelContext& context, int what)
    : most_(context.memory.tallest[{context.scene.view, what, std::lround(availableWidth())}]),
      top_(ImGui::GetCursorPosY()) {}

Steady::~Steady() {
  const float height = ImGui::GetCursorPosY() - top_;
  most_ = std::max(most_, height);
  if (most_ > height)
    ImGui::Dummy(ImVec2(0, most_ - height - ImGui::GetStyle().ItemSpacing.y));
}

void drawFacts(const Ui& ui, const Facts& facts) {
  sectionHeading(ui, facts.heading);
  for (const Fact& fact : facts.lines)
    valueRow(ui, fact.label, fact.value, fact.tooltip);
  for (const std::string& warning : facts.warnings)
    note(ui, NoteKind::Warning, warning);
}

void drawUnderWay(const Ui& ui, bool pending, bool stopped) {
  if (pending)
    caption(ui, "computing …");
  else if (stopped)
    note(ui, stoppedByUser());
}

void drawReadThis(const Ui& ui, const std::vector<std::string>& sentences, const std::string& of) {
  if (sentences.empty())
    return;
  space(ui, 6);
  sectionHeading(ui, "Read this");
  if (!of.empty())
    caption(ui, of);
  const Card card(ui, "reading");
  std::string text;
  for (const std::string& sentence : sentences)
    text += (text.empty() ? "" : " ") + visibleText(sentence); // tokens may hold anything
  caption(ui, text);
}

void drawSceneWords(const PanelContext& context) {
  const SceneWords said = wordsOf(context.scene);
  if (said.title.empty() && said.caption.empty() && said.source.empty())
    return;
  const Ui& ui = context.ui;
  sectionHeading(ui, said.source.empty() ? "Scene" : "Figure");
  {
    const Card card(ui, "figure");
    if (!said.title.empty()) {
      const UseFont bold(ui.fonts.smallBold);
      words(ui, said.title);
    }
    if (!said.caption.empty())
      caption(ui, said.caption);
    if (!said.source.empty())
      caption(ui, said.source);
  }
  space(ui, 6);
}

void drawDefinition(const PanelContext& context, const Definition& definition) {
  const Ui& ui = context.ui;
  sectionHeading(ui, "Definition");
  const Card card(ui, "definition");
  for (const char* line : definition.formulas)
    code(ui, line);
  caption(ui, definition.words);
  caption(ui, definition.source);
}

void drawVerdict(const Ui& ui, const CellFacts& cell, const std::string& of) {
  const UseFont bold(ui.fonts.bold);
  // In a part, yet not in the mask: the key is read only within compressed keys.
  const bool within = !cell.why.attends && !cell.part.empty();
  const char* verdict = cell.why.attends ? "✓ attends"
                        : within         ? "✗ not on its own"
                                         : "✗ does not attend";
  const std::string text = (of.empty() ? "" : of + " ") + verdict;
  ImGui::PushStyleColor(ImGuiCol_Text,
                        cell.why.attends || within ? ui.colors().text : ui.colors().bad);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  recordText(ui, text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (cell.part.empty())
    return;
  if (!within) // else it is a sentence, for a line of its own
    ImGui::SameLine(0, ui.px(14));
  const std::string through = (within ? "only as part of a mean: " : "through ") + cell.part;
  // Where several patterns each have a hue, their parts have none.
  ImGui::PushStyleColor(ImGuiCol_Text, of.empty() ? hueOf(ui, cell.hue) : ui.colors().text);
  ImGui::TextWrapped("%s", through.c_str());
  ImGui::PopStyleColor();
  recordText(ui, through, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

const char* ofLastGood(const Results& results) {
  const auto ofInput = [](const std::optional<Problem>& problem) {
    return problem && !problem->stopped && problem->code == ErrorCode::NonFinite;
  };
  if (isStopped(results.masks.problem) || isStopped(results.attention.problem) ||
      isStopped(results.metrics.problem))
    return "of earlier parameters";
  return results.input.problem || ofInput(results.masks.problem) ||
                 ofInput(results.attention.problem)
             ? "of the last good input"
             : "of the last good pattern";
}

// “river” → “water” · weight 0.041, in two lines where one is too short.
void drawTokens(const Ui& ui, const CellFacts& cell) {
  std::string tokens;
  if (!cell.queryToken.empty() && !cell.keyToken.empty())
    tokens = "“" + visibleText(cell.queryToken) + "” → “" + visibleText(cell.keyToken) + "”";
  const std::string weight = cell.weight ? "weight " + shortNumber(*cell.weight, 3) : "";
  const std::string both = tokens + (tokens.empty() || weight.empty() ? "" : " · ") + weight;
  const bool fits = textSize(ui.fonts.small, both).x <= availableWidth();
  for (const std::string& line :
       fits ? std::vector{both, cell.score} : std::vector{tokens, weight, cell.score})
    if (!line.empty())
      caption(ui, line);
}

namespace {

std::string pairsAfter(const char* dot, Index pairs) {
  return dot + groupDigits(pairs) + (pairs == 1 ? " pair · " : " pairs · ");
}

// " · head 0", " · (a)": the mask that is counted, of several that the view shows.
std::string firstOfSeveral(const PanelContext& c) {
  const auto& masks = c.results.masks;
  if (!unitOf(c.scene.view).masks || !masks || masks->tiles.size() < 2)
    return {};
  const ShownMask& first = masks->tiles.front();
  if (!first.letter.empty())
    return " · " + first.letter;
  const bool lettered = first.title.starts_with('('); // by the scene itself
  return " · " + (lettered ? first.title.substr(0, first.title.find(')') + 1) : first.title);
}

} // namespace

std::string countedPairs(Index pairs) {
  return pairsAfter(" · ", pairs);
}

std::string pairsText(const PanelContext& c) {
  const Latest<MaskCounts>& counts = c.results.counts;
  if (!counts)
    return "n " + groupDigits(c.results.lengths.keys);
  const double share = counts->cells > 0 ? static_cast<double>(counts->rows.pairs) /
                                               static_cast<double>(counts->cells)
                                         : 0;
  const char* dot = counts->rows.exact ? " · " : " · ≈ ";
  const std::string text =
      "n " + groupDigits(counts->n) + pairsAfter(dot, counts->rows.pairs) + percent(share) +
      (counts->base == Base::Causal ? " of causal" : " of full") + firstOfSeveral(c);
  return text + (c.results.masks.problem ? std::string(" · ") + ofLastGood(c.results) : "");
}

Pattern firstPattern(const Scene& scene) {
  const std::vector<Panel> drawn = drawnPatterns(scene);
  return drawn.empty() ? scene.pattern : drawn.front().pattern;
}

std::string whichOfSeveral(const PanelContext& c) {
  const std::vector<Panel> drawn = drawnPatterns(c.scene);
  if (drawn.size() < 2)
    return {};
  const WindowView& view = windowView(c.scene.view);
  const std::string title = view.namesPatterns ? titlesOf(drawn).front() : ownTitle(drawn.front());
  return view.whichOfSeveral + (title.empty() ? title : ", " + title);
}

void drawDefinition(const PanelContext& c) {
  const Ui& ui = c.ui;
  const Pattern defined = firstPattern(c.scene);
  const Description& d = description(defined);
  sectionHeading(ui, "Definition");
  const Card card(ui, "definition");
  if (const std::string of = whichOfSeveral(c); !of.empty())
    caption(ui, of);
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
