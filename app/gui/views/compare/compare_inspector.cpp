#include "app/gui/interface/jargon.h"
#include "app/gui/interface/latest.h"
#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/layout.h"
#include "app/gui/views/compare/compare_view.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/choices.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/ui.h"
#include "app/gui/widgets/words.h"
#include "core/analysis/timing/timing_text.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {
namespace {

// A number that lines are sorted by, or one of choosing.
struct Column {
  std::optional<ScoreColumn> column;
  const char* label;
  std::string tooltip;
  double (*choice)(const ChoiceScore&) = nullptr;
};

// Of many numbers, three at a time fit the inspector, each in its own column.
struct ColumnGroup {
  const char* label;
  const char* tooltip;
  std::vector<Column> columns;
};

const std::vector<ColumnGroup>& columnGroups() {
  static const std::vector<ColumnGroup> kGroups{
      {"kept",
       "What is kept of dense attention, and with how many pairs",
       {{ScoreColumn::Mass, "mass", explained("Mean over the queries.", jargon::kCapturedMass)},
        {ScoreColumn::Error, "error", explained("|O − O*| / |O*|.", jargon::kOutputError)},
        {ScoreColumn::Pairs, "pairs", "Pairs of a query and a key that it attends to"}}},
      {"weights",
       "Whether the largest weights are kept, and how spread out the weights are",
       {{ScoreColumn::Recall, "recall",
         explained("Of the ten largest weights, mean over the queries.", jargon::kRecall)},
        {ScoreColumn::Entropy, "entropy",
         explained("−Σ p ln p, mean over the queries.", jargon::kEntropy)}}},
      {"cost",
       "Work and memory by the cost model",
       {{ScoreColumn::Flops, "FLOPs", "By the cost model"},
        {ScoreColumn::Bytes, "bytes", "Memory by the cost model, including Q, K, V and O"}}},
      {"time",
       "Measured on this machine, while the window does its other work",
       {{ScoreColumn::PrepareSeconds, "prepare",
         "Choosing the keys or drawing the projections, one run"},
        {ScoreColumn::Seconds, "attention",
         "The attention itself, the fastest of up to 5 runs per head; the Timings view measures it "
         "more carefully"}}}};
  return kGroups;
}

// Of a board with patterns that choose (S31).
const std::vector<ColumnGroup>& choiceGroups() {
  static const std::vector<ColumnGroup> kGroups{
      {"oracle",
       "What is kept of dense attention, beside the best choice of as many blocks or keys",
       {{{},
         "kept",
         "Share of dense attention over all keys that could be chosen, mean over the "
         "queries",
         [](const ChoiceScore& of) { return of.recall; }},
        {{},
         "best blocks",
         "With as many blocks, but those of the largest weight",
         [](const ChoiceScore& of) { return of.oracleBlocksRecall; }},
        {{},
         "best keys",
         "With as many keys per query, but those of the largest weight",
         [](const ChoiceScore& of) { return of.oracleKeysRecall; }}}},
      {"choice",
       "Which blocks are chosen, and what choosing costs",
       {{{},
         "overlap",
         "Chosen blocks that are among the best ones",
         [](const ChoiceScore& of) { return of.blockOverlap; }},
        {{},
         "density",
         "Chosen blocks of those that could be",
         [](const ChoiceScore& of) { return of.blockDensity; }},
        {{},
         "choosing",
         "FLOPs of choosing over those of the attention itself",
         [](const ChoiceScore& of) { return of.choosingShare(); }}}}};
  return kGroups;
}

// Those with numbers on this board.
std::vector<ColumnGroup> groupsOf(const std::vector<ScoreLine>& lines) {
  std::vector<ColumnGroup> groups = columnGroups();
  if (hasChoices(lines))
    groups.insert(groups.end(), choiceGroups().begin(), choiceGroups().end());
  return groups;
}

std::string letterOf(Index place) {
  return std::string("(") + static_cast<char>('a' + place) + ")";
}

// The cell under the pointer, or the pinned one, in every pattern.
void cellFacts(const PanelContext& c) {
  const std::vector<CellFacts>& cells = c.results.part<CompareResults>().cells;
  if (cells.empty())
    return;
  const Ui& ui = c.ui;
  sectionHeading(ui, "Query " + groupDigits(cells.front().query) + " → key " +
                         groupDigits(cells.front().key));
  {
    const Card card(ui, "cell");
    for (std::size_t k = 0; k < cells.size(); ++k) {
      drawVerdict(ui, cells[k], letterOf(static_cast<Index>(k)));
      code(ui, cells[k].why.text);
    }
    drawTokens(ui, cells.front());
  }
  space(ui, 6);
}

void differenceFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const CompareSpec& spec = c.scene.compare;
  sectionHeading(ui, letterOf(spec.first) + " against " + letterOf(spec.second));
  const Latest<Difference>& latest = c.results.part<CompareResults>().difference;
  if (latest.problem)
    return note(ui, *latest.problem);
  if (!latest || latest.stale)
    return caption(ui, "comparing …");
  const Difference& of = *latest;
  valueRow(ui, "only in " + letterOf(spec.first), groupDigits(of.onlyFirst));
  valueRow(ui, "only in " + letterOf(spec.second), groupDigits(of.onlySecond));
  valueRow(ui, "in both", groupDigits(of.both));
  valueRow(ui, "first row that differs", of.firstRow ? groupDigits(*of.firstRow) : "none");
  valueRow(ui, "intersection over union", shortNumber(of.iou, 3),
           "Pairs in both, divided by pairs in either");
  if (of.firstRow && c.scene.camera &&
      link(ui, "show the first difference",
           {"Zoom to the cells around it, as when the view opened"}))
    c.actions.push(SetCamera{});
}

// Two decimals where they are meaningful, else three digits.
std::string twoDecimals(double value) {
  return std::abs(value) < 1000 ? fixed(value, 2) : shortNumber(value, 3);
}

std::string cellText(const ScoreLine& line, const Column& of) {
  const Score& score = line.score;
  if (of.choice)
    return line.choice ? twoDecimals(of.choice(*line.choice)) : "–";
  switch (of.column.value_or(ScoreColumn::Name)) {
  case ScoreColumn::Mass:
    return score.capturedMass ? twoDecimals(*score.capturedMass) : "–";
  case ScoreColumn::Error:
    return score.error ? twoDecimals(score.error->relativeFrobenius) : "–";
  case ScoreColumn::Pairs:
    return score.pairs ? groupDigits(*score.pairs) : "–";
  case ScoreColumn::Recall:
    return twoDecimals(score.recall);
  case ScoreColumn::Entropy:
    return score.entropy ? twoDecimals(*score.entropy) : "–";
  case ScoreColumn::Flops:
    return countWithUnit(score.flops);
  case ScoreColumn::Bytes:
    return countWithUnit(score.bytes);
  case ScoreColumn::PrepareSeconds:
    return secondsText(score.prepareSeconds);
  case ScoreColumn::Seconds:
    return secondsText(score.seconds);
  case ScoreColumn::Name:
    break;
  }
  return line.name;
}

constexpr float kBetweenColumns = 12; // at scale 1
constexpr float kSortMark = 18;

// The right ends of the number columns, from the left edge, and the room left for the names before
// them.
struct Board {
  std::span<const Column> columns;
  std::vector<float> ends;
  float names = 0;
};

// Each column as wide as its numbers and its heading.
Board boardOf(const Ui& ui, const std::vector<ScoreLine>& lines, const CompareSpec& spec,
              std::span<const Column> columns) {
  Board board{columns, std::vector<float>(columns.size()), 0};
  float right = availableWidth();
  for (std::size_t k = columns.size(); k-- > 0;) {
    const Column& column = columns[k];
    const float mark = spec.sortedBy == column.column ? ui.px(kSortMark) : 0;
    float widest = textSize(ui.fonts.text, column.label).x + mark;
    for (const ScoreLine& line : lines)
      widest = std::max(widest, textSize(ui.fonts.bold, cellText(line, column)).x);
    board.ends[k] = right;
    right -= widest + ui.px(kBetweenColumns);
  }
  board.names = right;
  return board;
}

// Beside the heading by which the lines are sorted.
void sortMark(const Ui& ui, float shift, bool rising) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.small, ImVec2(at.x + shift, at.y + ui.px(3)), ui.colors().accentText,
           rising ? "▲" : "▼");
}

// Of numbers that lines are not sorted by.
void drawColumnName(const Ui& ui, const Column& column) {
  const float pad = ui.px(2); // as of links
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const ImVec2 at(cursor.x, cursor.y + pad);
  const ImVec2 size = textSize(ui.fonts.text, column.label);
  drawText(ui.fonts.text, at, ui.colors().dim, column.label);
  ImGui::Dummy(ImVec2(size.x, size.y + 2 * pad));
  tooltip(ui, column.tooltip);
  recordText(ui, column.label, at, ImVec2(at.x + size.x, at.y + size.y));
}

// A heading to press: the lines are sorted by it. `end`: the right end of its word in the panel;
// the name begins where the cursor is.
void heading(const PanelContext& c, const Column& column, std::optional<float> end) {
  const Ui& ui = c.ui;
  const CompareSpec& spec = c.scene.compare;
  const float wide = textSize(ui.fonts.text, column.label).x;
  if (end)
    ImGui::SetCursorPosX(*end - wide);
  if (column.choice) {
    drawColumnName(ui, column);
    return;
  }
  if (spec.sortedBy == column.column)
    sortMark(ui, end ? -ui.px(kSortMark) : wide + ui.px(4), spec.rising);
  if (link(ui, column.label, {column.tooltip}))
    c.actions.edit("sort", [by = *column.column](Scene& s) {
      s.compare.rising = s.compare.sortedBy == by ? !s.compare.rising : by == ScoreColumn::Name;
      s.compare.sortedBy = by;
    });
}

void headings(const PanelContext& c, const Board& board) {
  const float left = ImGui::GetCursorPosX();
  heading(c, {ScoreColumn::Name, "name", "Sort by name"}, {});
  for (std::size_t k = 0; k < board.columns.size(); ++k) {
    ImGui::SameLine();
    heading(c, board.columns[k], left + board.ends[k]);
  }
  space(c.ui, 2);
}

// Half way from a row to the one above.
void rowRule(const Ui& ui, const ImVec2& at) {
  const float y = std::round(at.y - ImGui::GetStyle().ItemSpacing.y / 2);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(at.x, y), ImVec2(at.x + availableWidth(), y),
                                      color(ui.colors().line));
}

// The name, wrapped where it is longer than its column, with its numbers beside it.
void scoreRow(const Ui& ui, const ScoreLine& line, const Board& board) {
  ImFont* font = line.compared ? ui.fonts.bold : ui.fonts.text;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  rowRule(ui, at);
  const std::string name = inLines(font, line.name, board.names);
  std::string recorded = line.name;
  drawText(font, at, ui.colors().text, name);
  for (std::size_t k = 0; k < board.columns.size(); ++k) {
    const std::string text = cellText(line, board.columns[k]);
    drawText(font, ImVec2(at.x + board.ends[k] - textSize(font, text).x, at.y), ui.colors().text,
             text);
    recorded += " · " + text;
  }
  ImGui::Dummy(ImVec2(availableWidth(), textSize(font, name).y));
  recordText(ui, line.name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), recorded);
}

// Which columns are shown.
ColumnGroup chosenGroup(const PanelContext& c, const std::vector<ScoreLine>& lines) {
  const std::vector<ColumnGroup> groups = groupsOf(lines);
  std::vector<ChoiceItem> items;
  items.reserve(groups.size());
  for (const ColumnGroup& group : groups)
    items.push_back({group.label, group.tooltip});
  ChoiceSpec spec;
  spec.labelWidth = 0;
  choice(c.ui, "columns", c.memory.scoreColumns, items, spec);
  const auto last = static_cast<int>(groups.size()) - 1;
  return groups[static_cast<std::size_t>(std::clamp(c.memory.scoreColumns, 0, last))];
}

void scoreBoard(const PanelContext& c) {
  const Ui& ui = c.ui;
  space(ui, 6);
  const Latest<ScoresShown>& scores = c.results.part<CompareResults>().scores;
  const bool shown = scores && !scores.stale;
  sectionHeading(ui, "Score board", shown ? "against " + baseText(scores->lines) : "");
  if (scores.problem)
    caption(ui, scores.problem->text);
  else if (!shown)
    caption(ui, "computing …");
  if (!shown)
    return;
  const ColumnGroup group = chosenGroup(c, scores->lines);
  const Board board = boardOf(ui, scores->lines, c.scene.compare, group.columns);
  headings(c, board);
  for (const ScoreLine& line :
       sorted(scores->lines, c.scene.compare.sortedBy, c.scene.compare.rising))
    scoreRow(ui, line, board);
  if (scores.pending)
    caption(ui, "computing …");
}

std::vector<std::string> readingOf(const Results& results) {
  std::vector<std::string> sentences;
  if (results.part<CompareResults>().difference && !results.part<CompareResults>().difference.stale)
    sentences.push_back(differenceText(*results.part<CompareResults>().difference));
  if (results.part<CompareResults>().scores && !results.part<CompareResults>().scores.stale)
    sentences.insert(sentences.end(), results.part<CompareResults>().scores->reading.begin(),
                     results.part<CompareResults>().scores->reading.end());
  return sentences;
}

} // namespace

void drawCompareFacts(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Scores");
  {
    const Steady steady(c);
    cellFacts(c);
  }
  differenceFacts(c);
  scoreBoard(c);
  drawReadThis(c.ui, readingOf(c.results));
}

} // namespace attention::gui
