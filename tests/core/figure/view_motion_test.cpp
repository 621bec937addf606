#include "core/views/mask/cell_motion.h"

#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/plot/cell_rects.h"
#include "core/plot/mask_color.h"
#include "core/views/board/board_figure.h"
#include "core/views/steps/matrix_steps.h"
#include "core/views/steps/steps_board.h"
#include "tests/catch.h"
#include "tests/core/figure/small_steps.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace attention;

namespace {

constexpr Index kTokens = 24;

std::shared_ptr<const Prepared> maskOf(const Pattern& pattern, Index n = kTokens) {
  return prepare(pattern, squareLengths(n));
}

using Cells = std::set<std::pair<Index, Index>>; // query, key

Cells cellsOf(const Prepared& mask) {
  Cells cells;
  const Index n = mask.lengths().keys;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (mask.contains(i, j))
        cells.emplace(i, j);
  return cells;
}

// The cells at an end, which lie in whole places and have their full size.
Cells wholeCells(const std::vector<MovedCell>& at) {
  Cells cells;
  for (const MovedCell& cell : at) {
    CHECK(cell.size == 1);
    CHECK(cells.emplace(cell.query, static_cast<Index>(cell.key)).second);
    CHECK(cell.key == static_cast<double>(static_cast<Index>(cell.key)));
  }
  return cells;
}

CellMotion motionOf(const Pattern& before, const Pattern& after) {
  return cellMotion(*maskOf(before), *maskOf(after), FigureTheme::Dark);
}

std::size_t moving(const CellMotion& motion) {
  return static_cast<std::size_t>(
      std::count_if(motion.paths.begin(), motion.paths.end(),
                    [](const CellPath& path) { return path.from != path.to; }));
}

} // namespace

TEST_CASE("motion begins with the first mask and ends with the second") {
  const std::vector<Pattern> patterns{Causal{},        Full{},     Local{3},
                                      Local{6, false}, Strided{4}, Strided{5}};
  for (const Pattern& before : patterns)
    for (const Pattern& after : patterns) {
      if (before == after)
        continue;
      const CellMotion motion = motionOf(before, after);
      CHECK(wholeCells(cellsAt(motion, 0)) == cellsOf(*maskOf(before)));
      CHECK(wholeCells(cellsAt(motion, 1)) == cellsOf(*maskOf(after)));
    }
}

TEST_CASE("at its ends the cells have the hues of the masks") {
  const CellMotion motion = motionOf(Strided{4}, Strided{5});
  const auto mask = maskOf(Strided{5});
  const MaskPalette palette = maskPalette(*mask, FigureTheme::Dark);
  const auto rects = cellRects(*mask, {0, kTokens, 0, kTokens}, 10000).value();
  for (const MovedCell& cell : cellsAt(motion, 1)) {
    const auto in = std::find_if(rects.begin(), rects.end(), [&](const auto& rect) {
      return rect.cells.contains(cell.query, static_cast<Index>(cell.key));
    });
    REQUIRE(in != rects.end());
    CHECK(cell.color == palette.hues[in->part]);
  }
}

TEST_CASE("in between, all that go and all that come are there") {
  const Pattern before = Causal{};
  const Pattern after = Local{3, true};
  const CellMotion motion = motionOf(before, after);
  CHECK(moving(motion) == 0); // nothing is added
  const auto half = cellsAt(motion, 0.5);
  CHECK(half.size() == cellsOf(*maskOf(before)).size());
  const auto kept = cellsOf(*maskOf(after));
  for (const MovedCell& cell : half) {
    const bool stays = kept.contains({cell.query, static_cast<Index>(cell.key)});
    CHECK(cell.size == (stays ? 1 : 0.75));
  }
}

TEST_CASE("cells of a stride slide along their row, those nearest to the query first") {
  const CellMotion motion = motionOf(Strided{4}, Strided{5});
  CHECK(moving(motion) > 0);
  for (const CellPath& path : motion.paths)
    CHECK(std::abs(path.from - path.to) <= kTokens / 4);
  // Row 10 of stride 4 has key 2 before its window 6 … 10; of stride 5 it has 0 before 5 … 10.
  std::set<std::pair<Index, Index>> slides;
  for (const CellPath& path : motion.paths)
    if (path.query == 10 && path.from != path.to)
      slides.emplace(path.from, path.to);
  CHECK(slides == std::set<std::pair<Index, Index>>{{2, 0}});
  const auto half = cellsAt(motion, 0.5);
  CHECK(std::any_of(half.begin(), half.end(), [](const MovedCell& cell) {
    return cell.query == 10 && cell.key == 1 && cell.size == 1;
  }));
}

TEST_CASE("what looks the same does not move") {
  CHECK(motionOf(Causal{}, Causal{}).paths.empty());
  CHECK(cellsAt(motionOf(Causal{}, Causal{}), 0.5).empty());
}

TEST_CASE("only masks of equal lengths and few tokens move") {
  const auto one = maskOf(Causal{}, kMostMovingTokens);
  CHECK(canMove(*one, *maskOf(Full{}, kMostMovingTokens)));
  CHECK_FALSE(canMove(*one, *maskOf(Causal{}, kMostMovingTokens - 1)));
  const auto many = maskOf(Causal{}, kMostMovingTokens + 1);
  CHECK_FALSE(canMove(*many, *many));
}

namespace {

using Words = std::vector<std::string>;

bool samePlot(const Plot& a, const Plot& b) {
  const DiagramMark& one = diagramOf(a);
  const DiagramMark& other = diagramOf(b);
  return one.texts == other.texts && one.fills == other.fills && one.lines == other.lines &&
         one.width == other.width && one.height == other.height;
}

// Those in smaller type than `after`.
std::size_t smallerWords(const Plot& plot, const Plot& after) {
  const auto& texts = diagramOf(plot).texts;
  const auto& all = diagramOf(after).texts;
  std::size_t count = 0;
  for (std::size_t k = 0; k < std::min(texts.size(), all.size()); ++k)
    count += texts[k].line < all[k].line && texts[k].dim ? 1U : 0U;
  return count;
}

} // namespace

TEST_CASE("between two steps a board begins with the one and ends with the other") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const Size room{200, 80};
  for (const auto& [from, to] : {std::pair<Index, Index>{1, 2}, {7, 8}, {8, 7}, {9, 3}, {0, 4}}) {
    const BoardChange change{{from, room, {}}, {to, room, {}}};
    CHECK(samePlot(boardBetween(board, change, 0), boardPlot(board, change.from)));
    CHECK(samePlot(boardBetween(board, change, 1), boardPlot(board, change.to)));
  }
  CHECK(samePlot(boardBetween(board, {{9, room, {}}, {0, room, {}}}, 0.5),
                 boardPlot(board, {9, room, {}})));
}

TEST_CASE("what a step writes appears, and columns move to their places") {
  const Board board = stepsBoard(byHand(), Words{"cat", "sat"});
  const BoardChange change{{6, {400, 160}, {}}, {7, {200, 80}, {}}}; // with units of half the size
  const Plot before = boardPlot(board, change.from);
  const Plot half = boardBetween(board, change, 0.5);
  const Plot after = boardPlot(board, change.to);
  // The heading, two keys' p, and the line of sums: its name, that of exp and of p.
  CHECK(smallerWords(half, after) == 6);
  CHECK(diagramOf(half).texts.size() == diagramOf(after).texts.size());
  const auto longestBar = [](const Plot& plot) {
    double most = 0;
    for (const DiagramFill& fill : diagramOf(plot).fills)
      if (fill.hue == 2 && fill.share > 0.4)
        for (const Box& box : fill.boxes)
          most = std::max(most, box.width);
    return most;
  };
  CHECK(longestBar(before) == 0);
  // Half the share of half the room, but for the gap beside the number.
  CHECK(longestBar(half) == Approx(longestBar(after) / 4).margin(0.25));
  const auto xOf = [&](const Plot& plot, const std::string& words) {
    const auto& texts = diagramOf(plot).texts;
    const auto found = std::find_if(texts.begin(), texts.end(),
                                    [&](const DiagramText& text) { return text.text == words; });
    return found == texts.end() ? -1 : found->at.x;
  };
  CHECK(xOf(half, "exp") == Approx((xOf(before, "exp") / 2 + xOf(after, "exp")) / 2));
}

namespace {

// q·k of two queries and keys, causal; outputs of three numbers.
MatrixSteps twoByTwo() {
  const Matrix<double> q(2, 2, {1, 0, 2, 0});
  const Matrix<double> k(2, 2, {2, 0, 1, 1});
  const Matrix<double> v(2, 3, {0, 2, 4, 1, 1, 0});
  const auto pattern = maskOf(Causal{}, 2);
  return matrixSteps({*pattern, q.view(), k.view(), v.view(), 0, {}});
}

// Of the cells, row by row.
Words numbersIn(const Plot& plot, std::size_t columns) {
  const auto& texts = diagramOf(plot).texts;
  Words numbers;
  for (std::size_t at = columns; at < texts.size(); at += columns + 1)
    for (std::size_t j = 1; j <= columns; ++j)
      numbers.push_back(texts[at + j].text);
  return numbers;
}

} // namespace

TEST_CASE("a matrix comes out of the one before it") {
  const MatrixSteps steps = twoByTwo();
  const auto panels = matrixPanels(steps, {});
  REQUIRE(panels.size() == kMatrixSteps);
  for (Index step = 2; step <= kMatrixSteps; ++step) {
    const MatrixLook look{{}, true, {}, step};
    const auto at = static_cast<std::size_t>(step);
    CHECK(samePlot(matrixComing(steps, look, 1), panels[at - 1].plots.front()));
    if (step < kMatrixSteps)
      CHECK(samePlot(matrixComing(steps, look, 0), panels[at - 2].plots.front()));
  }
  CHECK(matricesAt(steps, 0) == kMatrixSteps);
  CHECK(matricesAt(steps, 3) == 3);
}

TEST_CASE("on their way numbers and colours go from one value to the other") {
  const MatrixSteps steps = twoByTwo();
  const auto at = [&](Index step, double t) {
    return matrixComing(steps, {{}, true, {}, step}, t);
  };
  CHECK(numbersIn(at(2, 0.5), 2) == Words{"1.71", "0.85", "3.41", "1.71"}); // 2 and 2/√2 …
  CHECK(numbersIn(at(3, 0.4), 2) == Words{"1.41", "0.71", "2.83", "1.41"});
  CHECK(numbersIn(at(3, 0.6), 2) == Words{"1.41", "−∞", "2.83", "1.41"});
  // Scores go before weights come, each with digits of its own.
  const auto written = [&](Index step) {
    return numbersIn(matrixPanels(steps, {})[static_cast<std::size_t>(step) - 1].plots.front(), 2);
  };
  const auto roomAt = [&](double t) {
    const Plot plot = at(4, t);
    const DiagramMark& mark = diagramOf(plot);
    return mark.sizes[*mark.texts.back().size].room;
  };
  CHECK(numbersIn(at(4, 0.4), 2) == written(3));
  CHECK(numbersIn(at(4, 0.6), 2) == written(4));
  CHECK(roomAt(0.25) == Approx(roomAt(0) / 2));
  CHECK(roomAt(0.75) == Approx(roomAt(1) / 2));
  CHECK(numbersIn(at(5, 0.6), 3) == numbersIn(at(5, 1), 3));
  // The largest share stays, in the hue of weights once half of the way is gone.
  const auto strongest = [](const Plot& plot) {
    const auto& fills = diagramOf(plot).fills;
    return *std::ranges::max_element(fills, {}, [](const DiagramFill& f) { return f.share; });
  };
  CHECK(strongest(at(4, 0.25)).hue != strongest(at(4, 0.75)).hue);
  CHECK(strongest(at(4, 0.25)).share == Approx(strongest(at(4, 0)).share / 2));
  // Three outputs share the width of two weights.
  const auto placeAt = [&](std::size_t text, double t) {
    return diagramOf(at(5, t)).texts[text].at.x;
  };
  CHECK(placeAt(5, 0) - placeAt(4, 0) == Approx((placeAt(5, 1) - placeAt(4, 1)) * 2 / 3));
  CHECK(placeAt(5, 0.5) == Approx((placeAt(5, 0) + placeAt(5, 1)) / 2));
}
