// Linear attention and random features on a board: the running sums, both orders of multiplication,
// and outputs divided and not.
#include "core/views/board/board_figure.h"
#include "core/views/steps/scene_steps.h"
#include "core/views/steps/steps_board.h"
#include "tests/catch.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/small_steps.h"

#include <algorithm>

using namespace attention;

namespace {

const BoardLine& lineOf(const Board& board, const std::string& name) {
  const auto found = std::find_if(board.lines.begin(), board.lines.end(), [&](const auto& line) {
    return line.cells.front().text == name;
  });
  REQUIRE(found != board.lines.end());
  return *found;
}

std::size_t columnOf(const Board& board, const std::string& heading) {
  const auto found = std::find_if(board.columns.begin(), board.columns.end(),
                                  [&](const auto& column) { return column.heading == heading; });
  return static_cast<std::size_t>(found - board.columns.begin());
}

std::vector<double> stripIn(const Board& board, const std::string& line,
                            const std::string& column) {
  return lineOf(board, line).cells.at(columnOf(board, column)).strip;
}

StepsAnswer linear(bool normalized, Index query = 2) {
  const RandomSteps asked(4, 2, "causal");
  StepsQuestion question;
  question.by = StepsBy::Linear;
  question.features.map.map = FeatureMap::Elu1;
  question.features.normalized = normalized;
  return stepsAnswer(
      {*asked.pattern, asked.in.qView(), asked.in.kView(), asked.in.vView(), query, {}}, question);
}

} // namespace

TEST_CASE("z and S grow key by key to the sums, and the query times them is the numerator",
          "[figure]") {
  const StepsAnswer answer = linear(true);
  const Board board = stepsBoard(answer, {});
  const std::vector<double>& first = stripIn(board, "0", "S so far");
  const BoardCell& s = lineOf(board, "sums").cells[columnOf(board, "S so far")];
  CHECK(s.rows == 2);
  CHECK(s.strip == answer.features->state.values());
  CHECK(stripIn(board, "2", "S so far") == s.strip); // the last visible key
  CHECK(first != s.strip);
  for (std::size_t f = 0; f < 2; ++f)
    for (std::size_t c = 0; c < 2; ++c)
      CHECK(first[2 * f + c] ==
            Approx(answer.phiK(0, static_cast<Index>(f)) * answer.v(0, static_cast<Index>(c))));
  CHECK(stripIn(board, "2", "z so far") == answer.features->total);
  CHECK(stripIn(board, "φ(q) × sums", "S so far") == answer.features->numerator);
  CHECK(lineOf(board, "φ(q) × sums").cells[columnOf(board, "z so far")].text ==
        lineOf(board, "sums").cells[columnOf(board, "a")].text);
}

TEST_CASE("outputs divided and not stand one below the other, whichever is chosen", "[figure]") {
  for (const bool normalized : {true, false}) {
    const StepsAnswer answer = linear(normalized);
    const FeatureSteps& steps = *answer.features;
    const Board board = stepsBoard(answer, {});
    CHECK(stripIn(board, "AV, not divided", "a v") == steps.numerator);
    CHECK(stripIn(board, "D⁻¹AV, divided", "a v") == steps.divided);
    CHECK(stripIn(board, "softmax gives", "a v") == steps.exact);
    CHECK(lineOf(board, "AV, not divided").strong != normalized);
    CHECK(lineOf(board, "D⁻¹AV, divided").strong == normalized);
    for (std::size_t c = 0; c < steps.divided.size(); ++c)
      CHECK(steps.divided[c] == Approx(steps.numerator[c] / steps.denominator));
    // Shares are of what is divided.
    CHECK((columnOf(board, "a / Σ a") < board.columns.size()) == normalized);
  }
}

TEST_CASE("what is not divided is not compared with softmax", "[figure]") {
  const auto said = [](bool normalized) {
    std::string text;
    for (const std::string& sentence : readingOf(linear(normalized), {}, 0))
      text += sentence;
    return text;
  };
  CHECK(said(true).find("its outputs differ from softmax by up to ") != std::string::npos);
  CHECK(said(true).find(" gets the largest weight, ") != std::string::npos);
  CHECK(said(false).find("its outputs differ") == std::string::npos);
  CHECK(said(false).find(" has the largest a, ") != std::string::npos);
  CHECK(said(false).find("The output is not divided by Σ a = ") != std::string::npos);
}

TEST_CASE("a query without a key is told alone, by every means", "[figure]") {
  const RandomQkv<double> in(4, 2, 3, 2, 6);
  const auto pattern = prepare(patternNamed("causal"), alignedLengths(4, 2, Align::BottomRight));
  for (const StepsBy by : {StepsBy::Softmax, StepsBy::Online, StepsBy::Linear}) {
    StepsQuestion question;
    question.by = by;
    question.features.map.map = FeatureMap::Elu1;
    const StepsAnswer answer =
        stepsAnswer({*pattern, in.qView(), in.kView(), in.vView(), 0, {}}, question);
    CHECK(readingOf(answer, {}, 0) == Words{"The query sees no key, so its output is 0."});
    CHECK_FALSE(sentenceAt(stepsBoard(answer, {}), 0).starts_with("All 1"));
  }
}

TEST_CASE("partial sums of a long product are told, and named what they are", "[figure]") {
  const Board board = stepsBoard(RandomSteps(4, 32, "full").answer(1, StepsBy::Softmax), {});
  CHECK(board.columns[2].heading == "parts of q·k");
  CHECK(board.lines[1].cells[2].strip.size() == 8);
  CHECK(board.steps[1].formula.ends_with(", 8 sums of 4 products each"));
  const Board odd = stepsBoard(RandomSteps(4, 33, "full").answer(1, StepsBy::Softmax), {});
  CHECK(odd.steps[1].formula.ends_with(", 8 sums of 4 or 5 products"));
  const Board few = stepsBoard(RandomSteps(4, 8, "full").answer(1, StepsBy::Softmax), {});
  CHECK(few.columns[2].heading == "q × k");
  CHECK(few.steps[1].formula.find("sums of") == std::string::npos);
}
