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
#include "core/scene/settings.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attention::gui {
namespace {

// A number that lines are sorted by.
struct Column {
  ScoreColumn column;
  const char* label;
  std::string tooltip;
};

// Of many numbers, three at a time fit the inspector, each in its own column.
std::vector<Column> columnsOf(ScoreColumns group) {
  switch (group) {
  case ScoreColumns::Kept:
    return {{ScoreColumn::Mass, "mass", explained("Mean over the queries.", jargon::kCapturedMass)},
            {ScoreColumn::Error, "error", explained("|O − O*| / |O*|.", jargon::kOutputError)},
            {ScoreColumn::Pairs, "pairs", "Pairs of a query and a key that it attends to"}};
  case ScoreColumns::Weights:
    return {{ScoreColumn::Recall, "recall",
             explained("Of the ten largest weights, mean over the queries.", jargon::kRecall)},
            {ScoreColumn::Entropy, "entropy",
             explained("−Σ p ln p, mean over the queries.", jargon::kEntropy)}};
  case ScoreColumns::Cost:
    return {{ScoreColumn::Flops, "FLOPs", "By the cost model"},
            {ScoreColumn::Bytes, "bytes", "Memory by the cost model, including Q, K, V and O"}};
  case ScoreColumns::Time:
    return {{ScoreColumn::PrepareSeconds, "prepare",
             "Choosing the keys or drawing the projections, one run"},
            {ScoreColumn::Seconds, "attention",
             "The attention itself, the fastest of up to 5 runs per head; the Timings view "
             "measures it more carefully"}};
  case ScoreColumns::Oracle:
    return {{ScoreColumn::ChoiceRecall, "chosen",
             "Share of dense attention over all keys that could be chosen, mean over the queries"},
            {ScoreColumn::OracleBlocks, "best blocks",
             "The same number of blocks, but those with the largest weight"},
            {ScoreColumn::OracleKeys, "best keys",
             "The same number of keys per query, but those with the largest weight"}};
  case ScoreColumns::Choice:
    break;
  }
  return {{ScoreColumn::BlockOverlap, "overlap", "Chosen blocks that are among the best ones"},
          {ScoreColumn::BlockDensity, "density", "Chosen blocks of those that could be"},
          {ScoreColumn::ChoosingShare, "choosing",
           "FLOPs of choosing over those of the attention itself"}};
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

std::string cellText(const ScoreLine& line, ScoreColumn column) {
  const std::optional<double> number = numberOf(line, column);
  if (!number)
    return "–";
  switch (column) {
  case ScoreColumn::Pairs:
    return groupDigits(*line.score.pairs);
  case ScoreColumn::Flops:
  case ScoreColumn::Bytes:
    return countWithUnit(*number);
  case ScoreColumn::PrepareSeconds:
  case ScoreColumn::Seconds:
    return secondsText(*number);
  default:
    return twoDecimals(*number);
  }
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
      widest = std::max(widest, textSize(ui.fonts.bold, cellText(line, column.column)).x);
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

// A heading to press: the lines are sorted by it. `end`: the right end of its word in the panel;
// the name begins where the cursor is.
void heading(const PanelContext& c, const Column& column, std::optional<float> end) {
  const Ui& ui = c.ui;
  const CompareSpec& spec = c.scene.compare;
  const float wide = textSize(ui.fonts.text, column.label).x;
  if (end)
    ImGui::SetCursorPosX(*end - wide);
  if (spec.sortedBy == column.column)
    sortMark(ui, end ? -ui.px(kSortMark) : wide + ui.px(4), spec.rising);
  if (link(ui, column.label, {column.tooltip}))
    c.actions.edit("sort", [by = column.column](Scene& s) {
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
    const std::string text = cellText(line, board.columns[k].column);
    drawText(font, ImVec2(at.x + board.ends[k] - textSize(font, text).x, at.y), ui.colors().text,
             text);
    recorded += " · " + text;
  }
  ImGui::Dummy(ImVec2(availableWidth(), textSize(font, name).y));
  recordText(ui, line.name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), recorded);
}

// Which columns are shown: the last ones are of a board with patterns that choose.
ScoreColumns chosenColumns(const PanelContext& c, bool chooses) {
  const CompareSpec& spec = c.scene.compare;
  const auto last = static_cast<std::size_t>(chooses ? ScoreColumns::Choice : ScoreColumns::Time);
  std::vector<ChoiceItem> items;
  for (const Choice& group : settingNamed(compareSettings(), "columns").choices)
    if (items.size() <= last)
      items.push_back({group.label.c_str(), group.meaning.c_str()});
  const int shown = std::min(static_cast<int>(spec.columns), static_cast<int>(last));
  int selected = shown;
  ChoiceSpec look;
  look.labelWidth = 0;
  if (choice(c.ui, "columns", selected, items, look))
    c.actions.edit("columns", [selected](Scene& s) {
      s.compare.columns = static_cast<ScoreColumns>(selected);
    });
  return static_cast<ScoreColumns>(shown);
}

void scoreBoard(const PanelContext& c) {
  const Ui& ui = c.ui;
  space(ui, 6);
  const auto& results = c.results.part<CompareResults>();
  const Latest<ScoresShown>& scores = results.scores;
  const bool shown = scores && !scores.stale;
  sectionHeading(ui, "Score board", shown ? "against " + baseText(scores->lines) : "");
  for (const auto* problem : {&scores.problem, &results.choices.problem})
    if (*problem)
      caption(ui, (*problem)->text);
  if (!shown && !scores.problem)
    caption(ui, "computing …");
  if (!shown)
    return;
  const std::vector<ScoreLine>& lines = results.board().lines;
  const std::vector<Column> columns = columnsOf(chosenColumns(c, anyChooses(lines)));
  const Board board = boardOf(ui, lines, c.scene.compare, columns);
  headings(c, board);
  for (const ScoreLine& line : sorted(lines, c.scene.compare.sortedBy, c.scene.compare.rising))
    scoreRow(ui, line, board);
  if (scores.pending || results.choices.pending)
    caption(ui, "computing …");
}

std::vector<std::string> readingOf(const Results& results) {
  const auto& compare = results.part<CompareResults>();
  std::vector<std::string> sentences;
  if (compare.difference && !compare.difference.stale)
    sentences.push_back(differenceText(*compare.difference));
  if (compare.scores && !compare.scores.stale)
    sentences.insert(sentences.end(), compare.board().reading.begin(),
                     compare.board().reading.end());
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
