#include "app/gui/panels/facts_parts.h"
#include "app/gui/panels/layout.h"
#include "app/gui/panels/view_panels.h"
#include "app/gui/view/problem_note.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "app/gui/widgets/lines.h"
#include "app/gui/widgets/words.h"
#include "core/support/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention::gui {
namespace {

struct Column {
  ScoreColumn column;
  const char* label;
  const char* tooltip;
};

constexpr std::array kColumns{
    Column{ScoreColumn::Name, "name", "Sort by name"},
    Column{ScoreColumn::Mass, "mass",
           "Captured mass: dense attention on the pattern's keys, mean over queries"},
    Column{ScoreColumn::Error, "error", "|O − O*| / |O*| of the outputs"},
    Column{ScoreColumn::Pairs, "pairs", "Attended pairs"}};

std::string letterOf(Index place) {
  return std::string("(") + static_cast<char>('a' + place) + ")";
}

void differenceFacts(const PanelContext& c) {
  const Ui& ui = c.ui;
  const CompareSpec& spec = c.scene.compare;
  sectionHeading(ui, letterOf(spec.first) + " against " + letterOf(spec.second));
  const Latest<Difference>& latest = c.results.difference;
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
           "Pairs in both over pairs in either");
}

// Two decimals where they say something, else three digits.
std::string twoDecimals(double value) {
  return std::abs(value) < 1000 ? fixed(value, 2) : shortNumber(value, 3);
}

std::string cellText(const ScoreLine& line, ScoreColumn column) {
  const Score& score = line.score;
  switch (column) {
  case ScoreColumn::Mass:
    return score.capturedMass ? twoDecimals(*score.capturedMass) : "–";
  case ScoreColumn::Error:
    return twoDecimals(score.error.relativeFrobenius);
  case ScoreColumn::Pairs:
    return score.pairs ? groupDigits(*score.pairs) : "–";
  default:
    return line.name;
  }
}

constexpr float kBetweenColumns = 12; // at scale 1
constexpr float kSortMark = 14;

// Where the columns end, from the left edge, and what is left to the names before the numbers.
struct Board {
  std::array<float, kColumns.size()> ends{};
  float names = 0;
};

// Each column of numbers as wide as they are, or as its heading.
Board boardOf(const Ui& ui, const std::vector<ScoreLine>& lines, const CompareSpec& spec,
              float width) {
  Board board;
  float right = width;
  for (std::size_t k = kColumns.size(); k-- > 1;) {
    float numbers = 0;
    for (const ScoreLine& line : lines)
      numbers = std::max(numbers, textSize(ui.fonts.bold, cellText(line, kColumns[k].column)).x);
    board.ends[k] = right;
    board.names = right - numbers - ui.px(kBetweenColumns);
    const float mark = spec.sortedBy == kColumns[k].column ? ui.px(kSortMark) : 0;
    right -= std::max(numbers, textSize(ui.fonts.text, kColumns[k].label).x + mark) +
             ui.px(kBetweenColumns);
  }
  return board;
}

// Beside the heading by which the lines are sorted.
void sortMark(const Ui& ui, float shift, bool rising) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawText(ui.fonts.small, ImVec2(at.x + shift, at.y + ui.px(1)), ui.colors().accentText,
           rising ? "▲" : "▼");
}

// Headings to press: by what the lines are sorted.
void headings(const PanelContext& c, const Board& board) {
  const Ui& ui = c.ui;
  const CompareSpec& spec = c.scene.compare;
  const float left = ImGui::GetCursorPosX();
  for (std::size_t k = 0; k < kColumns.size(); ++k) {
    const Column& column = kColumns[k];
    const bool chosen = spec.sortedBy == column.column;
    if (k > 0)
      ImGui::SameLine();
    const float wide = textSize(ui.fonts.text, column.label).x;
    ImGui::SetCursorPosX(k == 0 ? left : left + board.ends[k] - wide);
    if (chosen)
      sortMark(ui, k == 0 ? wide + ui.px(4) : -ui.px(kSortMark), spec.rising);
    if (link(ui, column.label, {column.tooltip}))
      c.actions.edit("sort", [by = column.column](Scene& s) {
        s.compare.rising = s.compare.sortedBy == by ? !s.compare.rising : by == ScoreColumn::Name;
        s.compare.sortedBy = by;
      });
  }
}

void scoreTip(const Ui& ui, const ScoreLine& line) {
  tooltip(ui, line.name + "\nrecall of the top 10 keys " + percent(line.score.recall) +
                  (line.score.entropy ? "\nentropy " + shortNumber(*line.score.entropy, 3) + " nats"
                                      : "") +
                  "\n" + countWithUnit(line.score.flops) + "FLOP by the cost model");
}

// The name, in lines where it is longer than its column, and numbers beside its first line.
void scoreRow(const Ui& ui, const ScoreLine& line, const Board& board) {
  ImFont* font = line.compared ? ui.fonts.bold : ui.fonts.text;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string name = inLines(font, line.name, board.names);
  std::string recorded = line.name;
  drawText(font, at, ui.colors().text, name);
  for (std::size_t k = 1; k < kColumns.size(); ++k) {
    const std::string text = cellText(line, kColumns[k].column);
    drawText(font, ImVec2(at.x + board.ends[k] - textSize(font, text).x, at.y), ui.colors().text,
             text);
    recorded += " · " + text;
  }
  ImGui::Dummy(ImVec2(availableWidth(), textSize(font, name).y));
  recordText(ui, line.name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), recorded);
  if (ImGui::IsItemHovered())
    scoreTip(ui, line);
}

void scoreBoard(const PanelContext& c) {
  const Ui& ui = c.ui;
  space(ui, 6);
  const Latest<ScoresShown>& scores = c.results.scores;
  const bool shown = scores && !scores.stale;
  sectionHeading(ui, "Score board", shown ? "against " + baseText(scores->lines) : "");
  if (scores.problem)
    caption(ui, scores.problem->text);
  else if (!shown)
    caption(ui, "computing …");
  if (!shown)
    return;
  const Board board = boardOf(ui, scores->lines, c.scene.compare, availableWidth());
  headings(c, board);
  for (const ScoreLine& line :
       sorted(scores->lines, c.scene.compare.sortedBy, c.scene.compare.rising))
    scoreRow(ui, line, board);
  if (scores.pending)
    caption(ui, "computing …");
}

std::vector<std::string> readingOf(const Results& results) {
  std::vector<std::string> sentences;
  if (results.difference && !results.difference.stale)
    sentences.push_back(differenceText(*results.difference));
  if (results.scores && !results.scores.stale)
    sentences.insert(sentences.end(), results.scores->reading.begin(),
                     results.scores->reading.end());
  return sentences;
}

} // namespace

void drawCompareFacts(const PanelContext& c) {
  const WidgetScope scope(c.ui.log, "Scores");
  differenceFacts(c);
  scoreBoard(c);
  drawReadThis(c.ui, readingOf(c.results));
}

} // namespace attention::gui
