// A query's steps on a board: what stands on it, and that sums are those of all keys.
#include "core/plot/layout.h"
#include "core/views/steps/steps_figure.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>

using namespace attention;

namespace {

struct Asked {
  RandomQkv<double> in;
  std::shared_ptr<const Prepared> pattern;

  Asked(Index n, Index d, const char* name)
      : in(n, n, d, d, 3), pattern(prepare(patternNamed(name), squareLengths(n))) {}

  StepsAnswer answer(Index query, StepsBy by, Index keyTile = 4) const {
    StepsQuestion question;
    question.by = by;
    question.keyTile = keyTile;
    question.features.map.map = FeatureMap::Elu1;
    return stepsAnswer({*pattern, in.qView(), in.kView(), in.vView(), query, {}}, question);
  }
};

std::vector<std::string> namesOfLines(const StepsBoard& board) {
  std::vector<std::string> names;
  for (const BoardLine& line : board.lines)
    names.push_back(line.cells.front().text);
  return names;
}

double barsOf(const StepsBoard& board, std::size_t column) {
  double sum = 0;
  for (const BoardLine& line : board.lines)
    sum += line.cells[column].bar.value_or(0);
  return sum;
}

bool hasWord(const DisplayList& list, const std::string& word) {
  const auto words = wordsOf(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

TEST_CASE("a board of few keys has a line for each, forbidden ones too", "[figure]") {
  const Asked asked(4, 2, "causal");
  const std::vector<std::string> tokens{"a", "b", "c", "d"};
  const StepsBoard board = stepsBoard(asked.answer(2, StepsBy::Softmax), tokens);
  CHECK(board.title == "Query 2 (c): softmax attention over 3 of 4 keys");
  CHECK(namesOfLines(board) == Words{"q", "0  a", "1  b", "2  c", "3  d", "sum", "output"});
  CHECK(board.lines[4].dim);
  CHECK(board.lines[4].cells[4].text == "−∞");
  CHECK(barsOf(board, 6) == Approx(1));
  for (const BoardLine& line : board.lines)
    CHECK(line.cells.size() == board.columns.size());
  CHECK(board.formula.starts_with("s = q·k / √2, max = "));
}

TEST_CASE("a board of many keys has the others in one line", "[figure]") {
  const Asked asked(100, 2, "causal");
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Linear}) {
    const StepsBoard board = stepsBoard(asked.answer(96, by), {});
    const Words names = namesOfLines(board);
    CHECK(std::count(names.begin(), names.end(), "… 85 more") == 1);
    CHECK(barsOf(board, by == StepsBy::Softmax ? 6 : 3) == Approx(1));
  }
}

TEST_CASE("a board of tiles has the first, the last and how many are between", "[figure]") {
  const Asked asked(100, 2, "full");
  const StepsAnswer answer = asked.answer(50, StepsBy::Online);
  REQUIRE(answer.online->tiles.size() == 25);
  const StepsBoard board = stepsBoard(answer, {});
  CHECK(board.lines.size() == 13);
  CHECK(board.lines[0].cells[0].text == "0 … 3");
  CHECK(board.lines[6].cells[0].text == "… 14 more");
  CHECK(board.lines[7].cells[0].text == "80 … 83");
  CHECK(board.lines[12].cells[6].strip == answer.online->output);
  const StepsBoard few = stepsBoard(asked.answer(50, StepsBy::Online, 9), {});
  CHECK(few.lines.size() == 13);
  CHECK(few.lines[11].cells[0].text == "99 … 99");
}

TEST_CASE("a query without a key has a board that says so", "[figure]") {
  const RandomQkv<double> in(4, 2, 3, 2, 6);
  const auto pattern = prepare(patternNamed("causal"), alignedLengths(4, 2, Align::BottomRight));
  StepsQuestion question;
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
    question.by = by;
    question.features.map.map = FeatureMap::Elu1;
    const StepsBoard board = stepsBoard(
        stepsAnswer({*pattern, in.qView(), in.kView(), in.vView(), 0, {}}, question), {});
    CHECK(board.title.ends_with("over 0 of 2 keys"));
    CHECK_FALSE(layout(stepsFigure(board), std::nullopt, kMeasure).items.empty());
  }
}

TEST_CASE("pictures of steps write the numbers of narrow heads, and shade those of wide ones",
          "[figure]") {
  for (const Index d : {2, 32, 200}) {
    const Asked asked(6, d, "full");
    for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
      const StepsAnswer answer = asked.answer(3, by);
      const DisplayList list = layout(stepsFigure(stepsBoard(answer, {})), std::nullopt, kMeasure);
      CHECK(hasWord(list, numbersText(std::vector{answer.output()[0]}, 1)) == (d == 2));
      CHECK_FALSE(all<FillBoxes>(list).empty());
      for (const Text& text : all<Text>(list)) {
        INFO(text.text);
        CHECK(text.at.x >= 0);
        CHECK(text.at.x <= list.size.width);
      }
    }
  }
}

TEST_CASE("numbers of a strip are told up to a number of them", "[figure]") {
  CHECK(numbersText(std::vector<double>{1, -0.5, 3}, 2) == "1, −0.5, … 1 more");
  CHECK(numbersText(std::vector<double>{}, 2).empty());
}
