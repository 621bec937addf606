// How the columns of a board make room, and where its numbers, strips and bars are drawn.
#include "core/plot/layout.h"
#include "core/views/board/board_figure.h"
#include "core/views/steps/steps_board.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/small_steps.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace attention;

namespace {

// "Wnnw": how the columns of a rung stand, by the first letters of their forms.
std::string formsOf(const BoardRung& rung) {
  std::string text;
  for (const ColumnForm form : rung.forms)
    text += form == ColumnForm::Written  ? 'W'
            : form == ColumnForm::Shaded ? 's'
            : form == ColumnForm::Narrow ? 'n'
                                         : '-';
  return text;
}

} // namespace

TEST_CASE("columns that a step does not compute with make room, the oldest first", "[figure]") {
  const Board board = stepsBoard(RandomSteps(4, 2, "full").answer(1, StepsBy::Softmax), {});
  const std::vector<BoardRung> rungs = boardRungs(board, 4);
  Words forms;
  for (const BoardRung& rung : rungs)
    forms.push_back(formsOf(rung));
  // key, k, q × k, q·k, s, masked: the mask reads s.
  CHECK(forms == Words{"WWWWWWWWWWW", "WnWWWWWWWWW", "WnnWWWWWWWW", "WnnnWWWWWWW", "W-nnWWWWWWW",
                       "W--nWWWWWWW", "W---WWWWWWW"});
  for (std::size_t k = 1; k < rungs.size(); ++k)
    CHECK(rungs[k].width < rungs[k - 1].width);
  CHECK(rungs.front().width == Approx(leastBoardSize(board, 4).width));
}

TEST_CASE("in the picture of all steps every column stays, at least as shades", "[figure]") {
  const Board board = stepsBoard(RandomSteps(4, 2, "causal").answer(1, StepsBy::Softmax), {});
  const std::vector<BoardRung> rungs = boardRungs(board, 0);
  CHECK(formsOf(rungs.back()) == "WnnnnnnnWssW");
  for (const BoardRung& rung : rungs)
    CHECK(formsOf(rung).find('-') == std::string::npos);
}

TEST_CASE("strips of many numbers are the first to lose them", "[figure]") {
  const Board board = stepsBoard(RandomSteps(4, 8, "full").answer(1, StepsBy::Softmax), {});
  CHECK(formsOf(boardRungs(board, 0).at(4)) == "WssWWWWWWss");
  // The products are written where the step that makes them has no room for all.
  const std::vector<BoardRung> rungs = boardRungs(board, 2);
  REQUIRE(rungs.size() == 3);
  CHECK(formsOf(rungs[1]).starts_with("WsWW"));
  CHECK(rungs[1].needed);
}

TEST_CASE("a rung is as wide as the wish where that takes nothing needed", "[figure]") {
  const std::vector<BoardRung> rungs{
      {{}, 100, false}, {{}, 80, false}, {{}, 60, true}, {{}, 40, true}};
  const auto widthFor = [&](double wanted, double most) {
    return rungFor(rungs, wanted, most).width;
  };
  CHECK(widthFor(120, 150) == 100);
  CHECK(widthFor(90, 150) == 80);
  CHECK(widthFor(50, 85) == 80); // 60 would take something needed
  CHECK(widthFor(50, 70) == 60);
  CHECK(widthFor(50, 10) == 40);
}

TEST_CASE("a column that made room is drawn as shades of its numbers", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  BoardLook look{7, {}, boardRungs(board, 7).front().forms};
  const auto textsAt = [&] {
    std::size_t count = 0;
    const Plot plot = boardPlot(board, look);
    for (const DiagramText& text : diagramOf(plot).texts)
      count += text.text == "4" ? 1U : 0U; // q·k of "cat", and a product
    return count;
  };
  const auto boxes = [&] {
    std::size_t count = 0;
    const Plot plot = boardPlot(board, look);
    for (const DiagramFill& fill : diagramOf(plot).fills)
      count += fill.boxes.size();
    return count;
  };
  CHECK(textsAt() == 2);
  const std::size_t before = boxes();
  look.forms[3] = ColumnForm::Narrow;
  CHECK(textsAt() == 1);
  CHECK(boxes() == before + 2); // q·k of both keys
  look.forms[3] = ColumnForm::Gone;
  CHECK(textsAt() == 1);
  CHECK(boxes() == before);
}

TEST_CASE("a line is left out with the last of its numbers", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  BoardLook look{4, {}, boardRungs(board, 4).front().forms};
  const DiagramMark with = diagramOf(boardPlot(board, look));
  const auto hasQuery = [](const DiagramMark& mark) {
    return std::any_of(mark.texts.begin(), mark.texts.end(),
                       [](const DiagramText& of) { return of.text == "q"; });
  };
  CHECK(hasQuery(with));
  CHECK(boardPlaceAt(board, {1, with.height / 6 * 1.5}, look)->line == 0);
  look.forms[1] = ColumnForm::Gone; // k, where q stands too
  const DiagramMark without = diagramOf(boardPlot(board, look));
  CHECK_FALSE(hasQuery(without));
  CHECK(without.height < with.height);
  CHECK(boardPlaceAt(board, {1, without.height / 5 * 1.5}, look)->line == 1);
}

TEST_CASE("all numbers of a board have one size", "[figure]") {
  const RandomSteps asked(40, 32, "causal");
  const Figure figure = boardFigure(stepsBoard(asked.answer(30, StepsBy::Softmax), {}));
  std::set<double> sizes;
  for (const Text& text : all<Text>(layout(figure, Size{700, 500}, kMeasure)))
    if (text.text.starts_with("−") || (text.text[0] >= '0' && text.text[0] <= '9'))
      sizes.insert(std::round(100 * text.size) / 100);
  CHECK(sizes.size() <= 2); // the longest of a column may be a little smaller
}

TEST_CASE("a board fills its room with wider strips and higher lines", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const Size least = leastBoardSize(board);
  const Size room{1.5 * least.width, 1.5 * least.height};
  const DiagramMark roomy = diagramOf(boardPlot(board, {0, room, {}}));
  CHECK(roomy.width == Approx(room.width));
  CHECK(roomy.height == Approx(room.height));
  const DiagramMark high = diagramOf(boardPlot(board, {0, {least.width, 100 * least.height}, {}}));
  CHECK(high.height == 16.0 * 6); // lines have a limit
  const auto widest = [](const DiagramMark& mark) {
    double most = 0;
    for (const DiagramFill& fill : mark.fills)
      for (const Box& box : fill.boxes)
        most = std::max(most, box.width);
    return most;
  };
  CHECK(widest(roomy) > 1.2 * widest(diagramOf(boardPlot(board))));
}

TEST_CASE("a board of an early step has no columns of later ones, and more "
          "room for its own",
          "[figure]") {
  const Board board = stepsBoard(RandomSteps(6, 32, "full").answer(3, StepsBy::Softmax), {});
  const auto headings = [&](Index step) {
    std::size_t count = 0;
    const Plot plot = boardPlot(board, {step, {}, {}});
    for (const DiagramText& text : diagramOf(plot).texts)
      count += std::any_of(board.columns.begin(), board.columns.end(),
                           [&](const BoardColumn& of) { return of.heading == text.text; });
    return count;
  };
  CHECK(headings(1) == 2); // of keys and their k
  CHECK(headings(2) == 4);
  CHECK(headings(8) == board.columns.size());
  double before = 0;
  for (Index step = 1; step <= std::ssize(board.steps); ++step) {
    const double width = leastBoardSize(board, step).width;
    CHECK(width >= before);
    before = width;
  }
  CHECK(before == leastBoardSize(board).width);
}

TEST_CASE("files show every step at the size of all", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const DiagramMark all = diagramOf(boardFigure(board).panels.front().plots.front());
  for (Index step = 1; step <= std::ssize(board.steps); ++step) {
    const Figure figure = boardFigure(board, FigureTheme::Light, step);
    const DiagramMark& at = diagramOf(figure.panels.front().plots.front());
    CHECK(at.width == Approx(all.width));
    CHECK(at.height == Approx(all.height));
  }
}

TEST_CASE("in a small file the numbers of a step are as large as its words", "[figure]") {
  const auto smallest = [](const Figure& figure, const Size& size) {
    double least = 100;
    for (const Text& text : all<Text>(layout(figure, size, kMeasure)))
      if (text.text.find_first_of("0123456789") == 0)
        least = std::min(least, text.size);
    return least;
  };
  const Board board = stepsBoard(RandomSteps(8, 32, "full").answer(5, StepsBy::Softmax), {});
  Figure figure = boardFigure(board, FigureTheme::Light, 7);
  REQUIRE(figure.fallback);
  CHECK(figure.fallback->caption == figure.caption);
  const Size small{420, 300};
  Figure asInLarge = figure;
  asInLarge.fallback = {};
  CHECK(smallest(figure, small) > 1.5 * smallest(asInLarge, small));
}

TEST_CASE("a place on the board is that of the words drawn there", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const Plot plot = boardPlot(board);
  const auto& mark = std::get<DiagramMark>(plot.mark);
  std::size_t met = 0;
  for (const DiagramText& text : mark.texts) {
    const double x = text.align == TextAlign::Right ? text.at.x - 0.1 : text.at.x + 0.1;
    const auto place = boardPlaceAt(board, {x, text.at.y});
    if (!place)
      continue; // a heading
    const BoardCell& cell = board.lines[place->line].cells[place->column];
    if (cell.strip.empty() && board.lines[place->line].note != text.text) {
      CHECK(cell.text == text.text);
      ++met;
    }
  }
  CHECK(met > 10);
  CHECK_FALSE(boardPlaceAt(board, {mark.width + 1, 10}));
  CHECK_FALSE(boardPlaceAt(board, {1, 1}));
  CHECK_FALSE(boardPlaceAt(board, {1, mark.height + 1}));
}

TEST_CASE("a bar stands behind its number, under its own heading", "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const Plot plot = boardPlot(board);
  const DiagramMark& mark = diagramOf(plot);
  const auto rightOf = [&](const std::string& words) {
    const auto found = std::find_if(mark.texts.begin(), mark.texts.end(),
                                    [&](const DiagramText& of) { return of.text == words; });
    REQUIRE(found != mark.texts.end());
    return found->at.x;
  };
  CHECK(rightOf("p") == Approx(rightOf("0.804"))); // both end there
  std::size_t bars = 0;
  for (const DiagramFill& fill : mark.fills)
    if (fill.hue == 2 && fill.share > 0.4)
      for (const Box& box : fill.boxes) {
        CHECK(box.x > rightOf("0.804"));
        ++bars;
      }
  CHECK(bars == 2);
}

TEST_CASE("a sentence says what colours mean where some number is negative", "[figure]") {
  const std::string colours = "Blue is positive, orange negative";
  CHECK_FALSE(sentenceAt(stepsBoard(byHand(), {}), 0).ends_with(colours));
  const Board board = stepsBoard(RandomSteps(6, 8, "full").answer(3, StepsBy::Softmax), {});
  for (const Index step : {0, 1, 9}) {
    CHECK(sentenceAt(board, step).ends_with(". " + colours));
    CHECK(boardFigure(board, FigureTheme::Light, step).caption == sentenceAt(board, step));
  }
  CHECK(sentenceAt(board, 1).starts_with("Step 1 of 9. Query and keys: "));
  CHECK(sentenceAt(board, 1, false).starts_with("Query and keys: "));
}

TEST_CASE("the rule of a hidden key stands beside its −∞ in the picture of the mask alone",
          "[figure]") {
  const RandomSteps asked(4, 2, "causal");
  const Board board = stepsBoard(asked.answer(2, StepsBy::Softmax), {});
  const std::string rule = asked.pattern->why(2, 3).text;
  for (const Index step : {0, 3, 4, 5}) {
    const Plot plot = boardPlot(board, {step, {}, {}});
    const auto& texts = diagramOf(plot).texts;
    CHECK(std::any_of(texts.begin(), texts.end(),
                      [&](const DiagramText& of) { return of.text == rule; }) == (step == 4));
  }
  // Where it has no room it is the first that the step needs to go.
  const std::vector<BoardRung> rungs = boardRungs(board, 4);
  const auto needed =
      std::find_if(rungs.begin(), rungs.end(), [](const BoardRung& of) { return of.needed; });
  REQUIRE(needed != rungs.end());
  CHECK(needed->forms.back() == ColumnForm::Gone);
}

TEST_CASE("a long rule is cut where it has no room, and stands whole where it has", "[figure]") {
  const RandomSteps asked(8, 2, "strided");
  const Board board = stepsBoard(asked.answer(5, StepsBy::Softmax), {});
  const std::string rule = asked.pattern->why(5, 0).text;
  REQUIRE(rule == "5 − 0 = 5 > 3 (A¹); (5 − 0) mod 3 = 2 (A²)");
  const std::vector<BoardRung> rungs = boardRungs(board, 4);
  const auto needed =
      std::find_if(rungs.begin(), rungs.end(), [](const BoardRung& of) { return of.needed; });
  REQUIRE(needed != rungs.end());
  CHECK((needed + 1)->forms.back() == ColumnForm::Gone);
  const auto shows = [&](const BoardRung& rung, double width, const std::string& text) {
    const Plot plot = boardPlot(board, {4, {width, 0}, rung.forms});
    const auto& texts = diagramOf(plot).texts;
    return std::any_of(texts.begin(), texts.end(),
                       [&](const DiagramText& of) { return of.text == text; });
  };
  const BoardRung& roomy = *(needed - 1);
  CHECK(shows(roomy, 0, "5 − 0 = 5 > 3 (A¹); (5 − 0) mod…"));
  CHECK(shows(roomy, roomy.width + 200, rule));
  CHECK(shows(*needed, 0, "5 − 0 = 5 > 3 (…"));
  CHECK(needed->width < roomy.width);
  CHECK(traceOf(board, 1, 11).ends_with(rule + "\nexp(−∞) = 0"));
}

TEST_CASE("at every step of a small example all that it needs is at most 90 units wide",
          "[figure]") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  for (Index step = 1; step <= 9; ++step) {
    const std::vector<BoardRung> rungs = boardRungs(board, step);
    const BoardRung& rung = rungFor(rungs, 0, 90);
    CHECK_FALSE(rung.needed);
    CHECK(rung.width <= 90);
  }
}
