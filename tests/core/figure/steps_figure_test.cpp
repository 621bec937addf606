// A query's steps as a table: what is in it, and that sums are those of all keys.
#include "core/plot/layout.h"
#include "core/views/board/board_figure.h"
#include "core/views/steps/board_words.h"
#include "core/views/steps/matrix_steps.h"
#include "core/views/steps/steps_board.h"
#include "tests/catch.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/small_steps.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attention;

namespace {

std::vector<std::string> namesOfLines(const Board& board) {
  std::vector<std::string> names;
  for (const BoardLine& line : board.lines)
    names.push_back(line.cells.front().text);
  return names;
}

double barsOf(const Board& board, std::size_t column) {
  double sum = 0;
  for (const BoardLine& line : board.lines)
    sum += line.cells[column].bar.value_or(0);
  return sum;
}

// Attention of words w0 … in that order, with negative scores.
MatrixSteps matricesOf(Index n) {
  const RandomSteps asked(n, 4, "causal");
  return matrixSteps({*asked.pattern, asked.in.qView(), asked.in.kView(), asked.in.vView(), 0, {}});
}

Words namesOf(Index n) {
  Words names;
  for (Index k = 0; k < n; ++k)
    names.push_back("w" + std::to_string(k));
  return names;
}

// What stands in the cells of a matrix with cells of so many pixels, without its labels.
std::vector<Text> numbersIn(const MatrixSteps& steps, Index step, double cell) {
  const Words names = namesOf(steps.dot.rows());
  const std::vector<FigurePanel> panels = matrixPanels(steps, {names, true, {}, 0});
  const Plot& plot = panels[static_cast<std::size_t>(step - 1)].plots.front();
  const Size units = matrixSize(steps, step);
  const double unit = cell / 4;
  std::vector<Text> numbers =
      all<Text>(layoutPlot(plot, {unit * units.width, unit * units.height}, {13}, kMeasure).list);
  std::erase_if(numbers, [&](const Text& text) {
    return text.at.x < unit * 7 || text.at.y < unit * 4; // beside the cells, and above them
  });
  return numbers;
}

bool hasWord(const DisplayList& list, const std::string& word) {
  const auto words = wordsOf(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

TEST_CASE("a table of few keys has a line for each, hidden ones too", "[figure]") {
  const RandomSteps asked(4, 2, "causal");
  const std::vector<std::string> tokens{"a", "b", "c", "d"};
  const Board board = stepsBoard(asked.answer(2, StepsBy::Softmax), tokens);
  CHECK(board.title == "Query 2 “c”: softmax attention over 3 of 4 keys");
  CHECK(namesOfLines(board) == Words{"q", "0 “a”", "1 “b”", "2 “c”", "3 “d”", "sum", "output"});
  CHECK(board.lines[4].dim);
  CHECK(board.lines[4].cells[5].text == "−∞");
  CHECK(barsOf(board, 8) == Approx(1));
  for (const BoardLine& line : board.lines)
    CHECK(line.cells.size() == board.columns.size());
  CHECK(board.formula.starts_with("s = q·k / √2, max = "));
}

TEST_CASE("a table of many keys has the others in one line", "[figure]") {
  const RandomSteps asked(100, 2, "causal");
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Linear}) {
    const Board board = stepsBoard(asked.answer(96, by), {});
    const Words names = namesOfLines(board);
    CHECK(std::count(names.begin(), names.end(), "… 85 more") == 1);
    CHECK(barsOf(board, 8) == Approx(1));
  }
}

TEST_CASE("features of the query are not shaded like the sums of all keys", "[figure]") {
  const Board board = stepsBoard(RandomSteps(100, 2, "full").answer(50, StepsBy::Linear), {});
  const Words names = namesOfLines(board);
  const auto shadesOf = [&](const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return board.lines.at(static_cast<std::size_t>(at)).shades;
  };
  CHECK(shadesOf("φ(q)") != shadesOf("sums"));
  CHECK(shadesOf("D⁻¹AV, divided") == shadesOf("softmax gives"));
}

TEST_CASE("a table of tiles has the first, the last and how many are between", "[figure]") {
  const RandomSteps asked(100, 2, "full");
  const StepsAnswer answer = asked.answer(50, StepsBy::Online);
  REQUIRE(answer.online->tiles.size() == 25);
  const Board board = stepsBoard(answer, {});
  CHECK(board.lines.size() == 14);
  CHECK(board.lines[0].cells[0].text == "0 … 3");
  CHECK(board.lines[6].cells[0].text == "… 14 more");
  CHECK(board.lines[7].cells[0].text == "80 … 83");
  CHECK(board.lines[12].cells[6].strip == answer.online->output);
  CHECK(board.lines[13].cells[0].text == "all keys at once");
  CHECK(board.lines[13].cells[6].strip == answer.softmax.output);
  const Board few = stepsBoard(asked.answer(50, StepsBy::Online, 9), {});
  CHECK(few.lines.size() == 14);
  CHECK(few.lines[11].cells[0].text == "99");
  CHECK(few.steps[11].name == "Key 99");
}

TEST_CASE("tiles without a line leave the numbers that the next one goes on from", "[figure]") {
  const RandomSteps asked(100, 2, "full");
  const StepsAnswer answer = asked.answer(50, StepsBy::Online);
  const std::vector<OnlineTile>& tiles = answer.online->tiles;
  const Board board = stepsBoard(answer, {});
  const std::vector<BoardCell>& left = board.lines[6].cells; // of tiles 6 to 19
  CHECK(left[1].text == "56");
  double correction = 1;
  double largest = tiles[6].tileMax;
  for (std::size_t t = 6; t < 20; ++t) {
    correction *= tiles[t].correction;
    largest = std::max(largest, tiles[t].tileMax);
  }
  CHECK(left[2].text == boardNumber(largest));
  CHECK(left[3].text == boardNumber(tiles[19].max));
  CHECK(left[4].text == boardNumber(correction));
  CHECK(correction == Approx(std::exp(tiles[5].max - tiles[19].max)));
  CHECK(left[5].text == boardNumber(tiles[19].sum));
  CHECK(left[6].strip == tiles[19].output);
  CHECK(board.steps[6].formula.starts_with("max = max(" + left[3].text + ", "));
  CHECK(board.steps[6].formula.find(" · " + left[5].text + " + ") != std::string::npos);
}

TEST_CASE("a query without a key has a table that says so", "[figure]") {
  const RandomQkv<double> in(4, 2, 3, 2, 6);
  const auto pattern = prepare(patternNamed("causal"), alignedLengths(4, 2, Align::BottomRight));
  StepsQuestion question;
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
    question.by = by;
    question.features.map.map = FeatureMap::Elu1;
    const Board board = stepsBoard(
        stepsAnswer({*pattern, in.qView(), in.kView(), in.vView(), 0, {}}, question), {});
    CHECK(board.title.ends_with("over 0 of 2 keys"));
    CHECK(board.formula.find("the query sees no key, so its output is 0") != std::string::npos);
    CHECK(board.steps.back().formula == "the query sees no key, so its output is 0");
    CHECK_FALSE(layout(boardFigure(board), std::nullopt, kMeasure).items.empty());
  }
}

TEST_CASE("pictures of steps write the numbers of narrow heads, and shade those of wide ones",
          "[figure]") {
  for (const Index d : {2, 32, 200}) {
    const RandomSteps asked(6, d, "full");
    for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
      const StepsAnswer answer = asked.answer(3, by);
      const DisplayList list = layout(boardFigure(stepsBoard(answer, {})), std::nullopt, kMeasure);
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

TEST_CASE("numbers of a strip are given up to a limit", "[figure]") {
  CHECK(numbersText(std::vector<double>{1, -0.5, 3}, 2) == "1, −0.5, … 1 more");
  CHECK(numbersText(std::vector<double>{}, 2).empty());
}

namespace {

std::size_t emptyCells(const Board& board) {
  std::size_t count = 0;
  for (const BoardLine& line : board.lines)
    count +=
        static_cast<std::size_t>(std::count(line.cells.begin(), line.cells.end(), BoardCell()));
  return count;
}

} // namespace

TEST_CASE("a cell of the board tells how it came about", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  REQUIRE(board.lines.size() == 5);
  const std::string trace = traceOf(board, 1, 10);
  CHECK(trace == "k = (2, 0)\n"
                 "q·k = 2 · 2 + 0 · 0 = 4\n"
                 "s = 4 / √2 = 2.83\n"
                 "visible: " +
                     byHand().listed[0].rule +
                     "\n"
                     "s − max = 2.83 − 2.83 = 0\n"
                     "exp(0) = 1\n"
                     "p = 1 / 1.24 = 0.804\n"
                     "v = (0, 2)\n"
                     "p v = (0, 1.61)");
  CHECK(traceOf(board, 1, 3) == "k = (2, 0)\nq·k = 2 · 2 + 0 · 0 = 4");
  CHECK(traceOf(board, 4, 10) == "output = Σ p v = (0.196, 1.8)");
}

TEST_CASE("a hidden key of the board names the rule that hides it", "[figure]") {
  const RandomSteps asked(4, 2, "causal");
  const StepsAnswer answer = asked.answer(1, StepsBy::Softmax);
  const Board board = stepsBoard(answer, {});
  const std::string rule = asked.pattern->why(1, 3).text;
  CHECK_FALSE(rule.empty());
  CHECK(board.lines[4].cells[5].why == "−∞, since " + rule);
  CHECK(board.lines[4].cells[11].text == rule);
  CHECK(board.steps[3].formula ==
        "2 of 4 keys are visible; the others get −∞, key 2 since " + asked.pattern->why(1, 2).text);
  CHECK(board.formula.ends_with("; key 2 gets −∞, since " + asked.pattern->why(1, 2).text));
  CHECK(traceOf(board, 4, 7).ends_with("exp(−∞) = 0"));
}

TEST_CASE("every hidden key has its rule on the board, however long it is", "[figure]") {
  std::size_t longest = 0;
  for (const char* name : {"strided", "fixed", "longformer", "sinks", "vertical_slash"}) {
    CAPTURE(name);
    const RandomSteps asked(9, 2, name);
    std::size_t hidden = 0;
    for (Index query = 0; query < 9; ++query)
      for (const BoardLine& line : stepsBoard(asked.answer(query, StepsBy::Softmax), {}).lines) {
        if (!line.row || line.cells[5].text != "−∞")
          continue;
        ++hidden;
        const std::string rule = asked.pattern->why(query, *line.row).text;
        REQUIRE(line.cells.size() == 12);
        CHECK(line.cells[11].text == rule);
        longest = std::max(longest, rule.size());
      }
    CHECK((hidden > 0) == (name != std::string_view("longformer"))); // whose window is wider
  }
  CHECK(longest > 60);
}

TEST_CASE("a board of many keys says how many are masked", "[figure]") {
  const RandomSteps asked(100, 2, "causal");
  const Board board = stepsBoard(asked.answer(96, StepsBy::Softmax), {});
  const Words names = namesOfLines(board);
  CHECK(std::count(names.begin(), names.end(), "… 3 masked") == 1);
  const Board last = stepsBoard(asked.answer(99, StepsBy::Softmax), {});
  for (const std::string& name : namesOfLines(last))
    CHECK(name.find("masked") == std::string::npos);
}

TEST_CASE("every step of a board writes something, and the last one all", "[figure]") {
  const RandomSteps asked(6, 2, "full");
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
    const Board board = stepsBoard(asked.answer(3, by), {});
    const auto count = static_cast<Index>(board.steps.size());
    REQUIRE(count >= 2);
    std::size_t before = emptyCells(boardAt(board, 1));
    for (Index step = 2; step <= count; ++step) {
      const Board shown = boardAt(board, step);
      // Masking writes nothing new where nothing is forbidden and the column is there already.
      CHECK(emptyCells(shown) < before);
      before = emptyCells(shown);
      CHECK(shown.formula.starts_with(board.steps[static_cast<std::size_t>(step - 1)].name));
    }
    CHECK(before == emptyCells(board));
    CHECK(boardAt(board, 0).formula == board.formula);
    CHECK(boardAt(board, count + 1).formula == board.formula);
  }
}

TEST_CASE("a board counts its steps", "[figure]") {
  CHECK(stepCounter(9, 2) == "Step 2 of 9. ");
  CHECK(stepCounter(9, 0) == "All 9 steps. ");
  CHECK(stepCounter(9, 10) == "All 9 steps. ");
  CHECK(stepCounter(0, 0).empty());
  CHECK(stepCounter(1, 0).empty());
  CHECK(stepCounter(1, 1).empty());
}

TEST_CASE("the example of the steps is the pinned key, else the heaviest below the maximum",
          "[figure]") {
  const RandomSteps asked(5, 2, "causal");
  StepsAnswer answer = asked.answer(3, StepsBy::Softmax);
  std::vector<Index> order = answer.softmax.visible;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return answer.softmax.p[static_cast<std::size_t>(a)] >
           answer.softmax.p[static_cast<std::size_t>(b)];
  });
  CHECK(heaviestKey(answer) == order[0]);
  CHECK(exampleKey(answer) == order[1]);
  answer.pinned = {order[2]};
  CHECK(exampleKey(answer) == order[2]);
  const Board board = stepsBoard(answer, {});
  CHECK(board.steps[1].formula.starts_with("key " + std::to_string(order[2]) + ": q·k = "));
  for (const BoardLine& line : board.lines) {
    CHECK(line.lit == (line.row == order[2]));
    CHECK(line.pinned == (line.row == order[2]));
  }
  answer.pinned = {4}; // which is hidden
  CHECK(exampleKey(answer) == order[1]);
  CHECK(exampleKey(asked.answer(0, StepsBy::Softmax)) == 0);
}

TEST_CASE("a board marks the pinned key, the query's own and the example", "[figure]") {
  StepsAnswer answer = RandomSteps(6, 2, "causal").answer(3, StepsBy::Softmax);
  const auto noteOf = [&](Index key) {
    const Board board = stepsBoard(answer, {});
    return board.lines.at(static_cast<std::size_t>(key) + 1).note;
  };
  const Index example = exampleKey(answer).value();
  CHECK(noteOf(example) == (example == 3 ? "query" : "followed"));
  answer.pinned = {1};
  CHECK(noteOf(1) == "pinned");
  CHECK(noteOf(3) == "query");
  CHECK(stepsBoard(answer, {}).lines[4].strong);
  answer.pinned = {3};
  CHECK(noteOf(3) == "query, pinned");
  answer.pinned = {5}; // hidden
  CHECK(noteOf(5) == "pinned");
}

TEST_CASE("a pinned key that is hidden has a line among many, with its k", "[figure]") {
  const RandomSteps asked(100, 2, "causal");
  StepsQuestion question;
  question.pinned = {97};
  const StepsAnswer answer = stepsAnswer(
      {*asked.pattern, asked.in.qView(), asked.in.kView(), asked.in.vView(), 40, {}}, question);
  const Board board = stepsBoard(answer, {});
  const auto line = std::find_if(board.lines.begin(), board.lines.end(),
                                 [](const BoardLine& of) { return of.row == 97; });
  REQUIRE(line != board.lines.end());
  CHECK(line->dim);
  CHECK(line->cells[1].strip ==
        std::vector<double>{asked.in.kView()(97, 0), asked.in.kView()(97, 1)});
  const Words names = namesOfLines(board);
  CHECK(std::count(names.begin(), names.end(), "… 58 masked") == 1);
  CHECK(board.steps[3].formula.ends_with("key 97 since " + asked.pattern->why(40, 97).text));
}

TEST_CASE("the last step writes the weighted values, and the mask what it hides", "[figure]") {
  const Board board = stepsBoard(byHand(), {});
  CHECK(boardAt(board, 9).formula == "Add them up: output = 0.804 v₀ + 0.196 v₁ = (0.196, 1.8)");
  CHECK(boardAt(board, 4).formula == "Mask: all 2 keys are visible; nothing is masked");
  const Board many = stepsBoard(RandomSteps(100, 2, "causal").answer(96, StepsBy::Softmax), {});
  CHECK(many.steps[3].formula ==
        "97 of 100 keys are visible; the others get −∞, key 97 since 96 − 97 = −1 < 0");
  CHECK(many.steps[8].formula.find(" + … = (") != std::string::npos);
  CHECK(many.steps[0].formula ==
        "q and every k are rows of 2 numbers. 12 of the 97 visible keys have rows, in text order: "
        "those with the largest weights and the nearest ones");
}

TEST_CASE("a pinned key is named among those that have rows", "[figure]") {
  const RandomSteps asked(100, 2, "causal");
  StepsQuestion question;
  question.pinned = {3};
  const StepsAnswer answer = stepsAnswer(
      {*asked.pattern, asked.in.qView(), asked.in.kView(), asked.in.vView(), 96, {}}, question);
  CHECK(stepsBoard(answer, {})
            .steps[0]
            .formula.ends_with("the largest weights, the nearest ones and the pinned one"));
}

TEST_CASE("random features of each key have shades of their own", "[figure]") {
  const RandomSteps asked(4, 2, "full");
  CHECK_FALSE(stepsBoard(asked.answer(1, StepsBy::Linear), {}).columns[1].byLine);
  StepsAnswer answer = asked.answer(1, StepsBy::Linear);
  answer.by = StepsBy::Features;
  CHECK(stepsBoard(answer, {}).columns[1].byLine);
}

TEST_CASE("the matrices of all queries are the steps of each", "[figure]") {
  const RandomQkv<double> in(5, 5, 3, 2, 4);
  const auto pattern = prepare(patternNamed("causal"), squareLengths(5));
  const StepsInput input{*pattern, in.qView(), in.kView(), in.vView(), 2, {}};
  const MatrixSteps all = matrixSteps(input);
  for (Index i = 0; i < 5; ++i) {
    const SoftmaxSteps row = softmaxSteps({*pattern, in.qView(), in.kView(), in.vView(), i, {}});
    for (Index j = 0; j < 5; ++j) {
      const auto at = static_cast<std::size_t>(j);
      CHECK(all.dot(i, j) == row.dot[at]);
      CHECK(all.scaled(i, j) == row.scaled[at]);
      CHECK(all.masked(i, j) == row.masked[at]);
      CHECK(all.p(i, j) == row.p[at]);
    }
    for (Index c = 0; c < 2; ++c)
      CHECK(all.output(i, c) == row.output[static_cast<std::size_t>(c)]);
  }
}

TEST_CASE("the picture of the matrices has a panel per step and the numbers in its cells",
          "[figure]") {
  const Matrix<double> q(2, 2, {1, 0, 2, 0});
  const Matrix<double> k(2, 2, {2, 0, 1, 1});
  const Matrix<double> v(2, 2, {0, 2, 1, 1});
  const auto pattern = prepare(patternNamed("causal"), squareLengths(2));
  const MatrixSteps all = matrixSteps({*pattern, q.view(), k.view(), v.view(), 0, {}});
  const Words tokens{"cat", "sat"};
  for (Index step = 1; step <= kMatrixSteps; ++step)
    CHECK(std::ssize(matrixPanels(all, {tokens, true, {}, step})) == step);
  const Figure figure = matrixFigure(all, {tokens, true, 1, 0}, FigureTheme::Light);
  REQUIRE(figure.panels.size() == 5);
  const DisplayList list = layout(figure, std::nullopt, kMeasure);
  for (const char* number : {"4", "2.83", "−∞", "0.80", "0.20", "1.80"})
    CHECK(hasWord(list, number));
  const auto lit = [](const FigurePanel& panel) {
    return std::get<DiagramMark>(panel.plots.front().mark).lines.size();
  };
  for (const FigurePanel& panel : figure.panels)
    CHECK(lit(panel) == 1);
  for (const FigurePanel& panel : matrixPanels(all, {tokens, true, {}, 0}))
    CHECK(lit(panel) == 0);
}

TEST_CASE("numbers of a matrix have one size and as many digits after the point", "[figure]") {
  const MatrixSteps steps = matricesOf(16);
  const auto digitsOf = [](const std::string& number) {
    const std::size_t point = number.find('.');
    return point == std::string::npos ? 0 : number.size() - point - 1;
  };
  for (const double cell : {60.0, 40.0, 28.0, 17.0})
    for (Index step = 1; step <= kMatrixSteps; ++step) {
      INFO("step " << step << ", cells of " << cell);
      const std::vector<Text> numbers = numbersIn(steps, step, cell);
      CHECK(std::ssize(numbers) == 16 * (step == kMatrixSteps ? 4 : 16));
      std::set<double> sizes;
      std::set<std::size_t> digits;
      for (const Text& number : numbers) {
        sizes.insert(number.size);
        CHECK(kMeasure(number.text, number.size, false) <= cell);
        if (number.text != "0" && number.text != "1" && number.text != "−∞")
          digits.insert(digitsOf(number.text));
      }
      CHECK(sizes.size() == 1);
      CHECK(digits.size() == 1);
      CHECK(*digits.begin() == (cell == 60 ? 2U : *digits.begin()));
    }
}

TEST_CASE("scores keep as many digits from step to step, and fewer in small cells", "[figure]") {
  MatrixSteps steps = matricesOf(2);
  steps.dot = Matrix<double>(2, 2, {-0.07, 0.71, 3, 12.2});
  steps.scaled = Matrix<double>(2, 2, {-0.035, 0.355, 1.5, 6.1});
  steps.masked = steps.scaled;
  const auto textsOf = [&](Index step, double cell) {
    Words texts;
    for (const Text& number : numbersIn(steps, step, cell))
      texts.push_back(number.text);
    return texts;
  };
  CHECK(textsOf(1, 60) == Words{"−0.07", "0.71", "3", "12.20"});
  CHECK(textsOf(2, 60) == Words{"−0.04", "0.35", "1.50", "6.10"});
  CHECK(textsOf(1, 18) == Words{"0", "1", "3", "12"});
  CHECK(textsOf(1, 6).empty());
  steps.p = Matrix<double>(2, 2, {1, 0, 0.238, 0.762});
  CHECK(textsOf(4, 60) == Words{"1", "0", "0.24", "0.76"});
  CHECK(textsOf(4, 22) == Words{"1", "0", ".24", ".76"});
  CHECK(textsOf(4, 14) == Words{"1", "0", ".2", ".8"});
}

TEST_CASE("every row of a matrix has its label, and −∞ stands where numbers do", "[figure]") {
  const MatrixSteps steps = matricesOf(16);
  Words names = namesOf(16);
  names[0] = "Der"; // wide letters
  names[5] = "Windmühlen";
  const std::vector<FigurePanel> panels = matrixPanels(steps, {names, true, {}, 0});
  for (const double cell : {17.0, 30.0}) {
    const double unit = cell / 4;
    const Size units = matrixSize(steps, 3);
    const DisplayList list = layoutPlot(panels[2].plots.front(),
                                        {unit * units.width, unit * units.height}, {13}, kMeasure)
                                 .list;
    Index labels = 0;
    Index hidden = 0;
    for (const Text& text : all<Text>(list)) {
      labels += text.at.x < unit * 7 ? 1 : 0;
      hidden += text.text == "−∞" ? 1 : 0;
    }
    CHECK(labels == 16);
    CHECK(hidden == 16 * 15 / 2);
  }
}

TEST_CASE("a name from the right stands behind its number", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"שלום", "cat"});
  CHECK(namesOfLines(board)[1] == "\u200E0 “שלום”"); // led by a left-to-right mark
  CHECK(namesOfLines(board)[2] == "1 “cat”");
}
