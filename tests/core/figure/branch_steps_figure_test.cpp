// Steps of a pattern that adds several softmaxes with gates: their board, their lists, the Scene's
// figure, and the layers of its mask.
#include "core/analysis/steps/branch_steps.h"
#include "core/pattern/mechanism/nsa.h"
#include "core/plot/layout.h"
#include "core/views/board/board_figure.h"
#include "core/views/scene_figure.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"
#include "core/views/steps/steps_lists.h"
#include "tests/catch.h"
#include "tests/code_and_subject.h"
#include "tests/core/attention/random_matrix.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/measured.h"
#include "tests/core/figure/scene_input.h"
#include "tests/core/pattern/pattern_text.h"

#include <algorithm>

using namespace attention;

namespace {

const Nsa kNsa{4, 2, 4, 3, 1, 1, 5, RealList{0.5, 0.25, 0.125}};

struct Asked {
  RandomQkv<double> in;
  std::shared_ptr<const Prepared> pattern;

  explicit Asked(Index n, const Nsa& nsa = kNsa, std::map<std::string, MatrixSource> arrays = {})
      : in(n, n, 4, 3, 5) {
    PatternData data = patternData<double>(in.qView(), in.kView());
    data.valueColumns = 3;
    data.arrays = std::move(arrays);
    pattern = prepare(nsa, squareLengths(n), data);
  }

  StepsInput input(Index query) const {
    return {*pattern, in.qView(), in.kView(), in.vView(), query, {}};
  }
  StepsAnswer answer(Index query, StepsBy by = StepsBy::Softmax) const {
    StepsQuestion question;
    question.by = by;
    question.keyTile = 4;
    return stepsAnswer(input(query), question);
  }
};

std::vector<std::string> namesOf(const Board& board) {
  std::vector<std::string> names;
  for (const BoardLine& line : board.lines)
    names.push_back(line.cells.front().text);
  return names;
}

Scene sceneOfNsa(Index n) {
  Scene scene;
  scene.view = View::Attention;
  scene.attention.picture = AttentionPicture::Steps;
  scene.pattern = kNsa;
  RandomInput random;
  random.n = n;
  random.d = 4;
  scene.input.source = random;
  scene.pins.query = n - 2;
  return scene;
}

} // namespace

TEST_CASE("the board of NSA has each branch under its name and the sum with the gates",
          "[figure][branches]") {
  const Asked asked(30);
  const StepsAnswer answer = asked.answer(21);
  REQUIRE(answer.branches.size() == 3);
  const Board board = stepsBoard(answer, {});
  CHECK(board.title.starts_with("Query 21: 3 softmaxes added with gates, "));
  CHECK(board.formula.ends_with("output = 0.5 · compressed + 0.25 · selected + 0.125 · window"));
  const auto names = namesOf(board);
  CHECK(names.front() == "q");
  CHECK(names.back() == "sum with gates");
  for (const char* name : {"compressed, gate 0.5", "selected, gate 0.25", "window, gate 0.125"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(std::count(names.begin(), names.end(), "output") == 3);
  CHECK(std::count(names.begin(), names.end(), "18–21") == 1); // the last compressed key
  for (const BoardLine& line : board.lines)
    CHECK(line.cells.size() == board.columns.size());
  REQUIRE(board.steps.size() == 10);
  CHECK(board.steps.back().name == "Add with gates");
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0;
    for (const BranchAnswer& branch : answer.branches)
      sum += branch.gate * branch.steps.softmax.output[c];
    CHECK(board.lines.back().cells.back().strip[c] == Approx(sum));
    CHECK(answer.output()[c] == Approx(sum));
  }
  // The sum comes last.
  CHECK(boardAt(board, 9).lines.back().cells.back().strip.empty());
  CHECK_FALSE(boardAt(board, 10).lines.back().cells.back().strip.empty());
}

TEST_CASE("weights of each branch add up to 1 on its lines", "[figure][branches]") {
  const Asked asked(40);
  const Board board = stepsBoard(asked.answer(37), {});
  std::vector<double> sums;
  for (const BoardLine& line : board.lines) {
    const std::string& name = line.cells.front().text;
    if (name.find(", gate ") != std::string::npos)
      sums.push_back(0);
    if (!sums.empty())
      sums.back() += line.cells[8].bar.value_or(0);
  }
  REQUIRE(sums.size() == 3);
  for (const double sum : sums)
    CHECK(sum == Approx(1));
}

TEST_CASE("by tiles every branch ends in the output of its softmax", "[figure][branches]") {
  const Asked asked(30);
  const StepsAnswer online = asked.answer(21, StepsBy::Online);
  const StepsAnswer softmax = asked.answer(21);
  CHECK(largestGap(online.output(), softmax.output()) < 1e-12);
  const Board board = stepsBoard(online, {});
  for (const BoardLine& line : board.lines)
    CHECK(line.cells.size() == board.columns.size());
  CHECK(board.steps.front().name.starts_with("compressed: "));
  CHECK(board.steps.back().name == "Add with gates");
  CHECK(codeAndSubject([&] { asked.answer(21, StepsBy::Linear); }) == "E_UNSUPPORTED by");
}

TEST_CASE("a query before the first compressed key has two branches", "[figure][branches]") {
  for (const Index n : {3, 30}) { // with none at all, and with none yet
    const Asked asked(n);
    const StepsAnswer answer = asked.answer(2);
    CHECK(answer.branches.front().steps.softmax.visible.empty());
    for (const double x : answer.branches.front().steps.softmax.output)
      CHECK(x == 0);
    for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online}) {
      const Board board = stepsBoard(asked.answer(2, by), {});
      const auto names = namesOf(board);
      CHECK(std::count(names.begin(), names.end(), "compressed, gate 0.5: no key") == 1);
      for (const BoardLine& line : board.lines)
        CHECK(line.cells.size() == board.columns.size());
      checkWords(layout(boardFigure(board, FigureTheme::Light), std::nullopt, kMeasure));
    }
  }
}

TEST_CASE("with given compressed values single keys have no weights", "[figure][branches]") {
  const Index n = 12; // 5 compressed keys
  const MatrixSource values{"", {5, 3}, Matrix<double>(5, 3).values()};
  const Asked asked(n, kNsa, {{"compressed_v", values}});
  const StepsAnswer answer = asked.answer(11);
  CHECK(answer.softmax.p.empty());
  for (const double x : answer.branches.front().steps.softmax.output)
    CHECK(x == 0);
  CHECK(!stepsBoard(answer, {}).lines.empty());
  CHECK(codeAndSubject([&] { matrixSteps(asked.input(0)); }) == "E_UNSUPPORTED compressed_v");
}

TEST_CASE("the list of a branch's steps names it", "[figure][branches]") {
  const Asked asked(20);
  const StepsAnswer answer = asked.answer(15);
  const CsvTable table = stepsTable(answer, {});
  REQUIRE(table.headings.size() == 11);
  CHECK(table.headings[0] == "branch");
  CHECK(table.headings[4] == "key");
  CHECK(table.rows.size() == 9 + 20 + 20); // compressed keys, and all keys twice
  CHECK(table.rows.front()[0] == "compressed");
  CHECK(table.rows.front()[2] == "4");
  CHECK(table.rows.back()[0] == "window");
  CHECK(table.rows.back()[2].empty());
}

TEST_CASE("a Scene of NSA has a figure of its steps, one by one and as matrices",
          "[figure][branches]") {
  Scene scene = sceneOfNsa(14);
  const Figure board = figureOfScene(scene, optionsWithInput(scene));
  CHECK(board.title.find("3 softmaxes added with gates") != std::string::npos);
  scene.attention.steps.whole = true;
  const Figure matrices = figureOfScene(scene, optionsWithInput(scene));
  REQUIRE(matrices.panels.size() == 5);
  CHECK(matrices.panels[3].title == "4. weights, all branches");
}

TEST_CASE("the figure of NSA's mask shows what only compressed keys cover", "[figure][branches]") {
  Scene scene = sceneOfNsa(24);
  scene.view = View::Mask;
  const Figure figure = figureOfScene(scene, optionsWithInput(scene));
  const auto& legend = figure.legend.empty() ? figure.panels.front().legend : figure.legend;
  REQUIRE(legend.size() == 3);
  CHECK(legend.back().label == "compressed keys");
  CHECK(legend.back().color != legend.front().color);
  const auto& mark = std::get<MaskMark>(figure.panels.front().plots.front().mark);
  CHECK(mark.pattern->parts().size() == 3);
  scene.view = View::Compare; // compares masks
  scene.compare.patterns = {{"NSA", scene.pattern}, {"causal", patternNamed("causal")}};
  const Figure compared = figureOfScene(scene, optionsWithInput(scene));
  CHECK(std::get<MaskMark>(compared.panels.front().plots.front().mark).pattern->parts().size() ==
        2);
}
