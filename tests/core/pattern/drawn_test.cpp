// What is drawn by hand on a pattern: reasons, parts, counts of long masks, and wrong strokes.
#include "core/pattern/coverage.h"
#include "core/pattern/mechanism/all.h"
#include "core/pattern/pattern_title.h"
#include "core/pattern/strokes.h"

#include "tests/catch.h"
#include "tests/core/pattern/pattern_text.h"
#include "tests/core/pattern/random_pattern.h"
#include "tests/core/pattern/twins/twins.h"

#include <chrono>

using namespace attention;

namespace {

std::shared_ptr<const Prepared> drawnFrom(const std::string& strokes, Index n,
                                          const std::string& on = "{\"mechanism\": \"causal\"}") {
  return preparedFrom("drawn", "{\"on\": " + on + ", \"strokes\": " + strokes + "}", n);
}

Stroke strokeOf(Stroke::Shape shape, std::vector<IndexPlace> at, bool add = true) {
  return {add, shape, std::move(at)};
}

// Cells at random places, so many that they are no primitives.
Stroke manyCells(Dice& dice, Index n, Index count, bool add) {
  std::vector<IndexPlace> cells;
  for (Index k = 0; k < count; ++k)
    cells.push_back({dice.within(0, n - 1), dice.within(0, n - 1)});
  return strokeOf(Stroke::Shape::Cells, std::move(cells), add);
}

Index cellsOfTwin(const Pattern& pattern, Index n, const Rect& rect) {
  const twins::Cells twin = twins::cellsOf(pattern, n, 0, {});
  Index cells = 0;
  for (Index i = rect.rowBegin; i < rect.rowEnd; ++i)
    for (Index j = rect.keyBegin; j < rect.keyEnd; ++j)
      cells += twin(i, j) ? 1 : 0;
  return cells;
}

} // namespace

TEST_CASE("A later stroke wins and the reason says what the hand did", "[drawn]") {
  const auto p = drawnFrom(R"([{"add": true, "shape": "rectangle", "at": [2, 6, 0, 8]},
                               {"add": false, "shape": "column", "at": [1]},
                               {"add": true, "shape": "cells", "at": [[4, 1], [0, 9]]}])",
                           10);
  CHECK(p->why(3, 7).text == "added by hand");
  CHECK(p->why(5, 1).text == "removed by hand");
  CHECK_FALSE(p->contains(5, 1));
  CHECK(p->why(4, 1).text == "added by hand");
  CHECK(p->contains(4, 1));
  CHECK(p->why(9, 3).text == prepare(Causal{}, squareLengths(10))->why(9, 3).text);
  CHECK(p->why(7, 9).text == "7 − 9 = −2 < 0");
  REQUIRE(p->parts().size() == 2);
  CHECK(p->parts()[0].name == "pattern");
  CHECK(p->parts()[0].label == "causal");
  CHECK(p->parts()[1].label == "added by hand");
  CHECK(p->why(4, 1).part == 1);
  CHECK(p->why(9, 3).part == 0);
  CHECK(p->count(1, p->bounds()) == 4 * 8 - 4 + 1 + 1);
}

TEST_CASE("Without a pattern below only what was added is attended", "[drawn]") {
  const auto p = preparedFrom("drawn", R"({"strokes": [{"shape": "row", "at": [2, 1, 4]}]})", 6);
  CHECK(p->pairs() == 3);
  CHECK(p->parts().size() == 1);
  CHECK(p->why(2, 1).text == "added by hand");
  CHECK(p->why(2, 5).text == "no stroke is here");
  CHECK(preparedFrom("drawn", "{}", 6)->pairs() == 0);
}

TEST_CASE("Strokes come again with their period and mirrored where asked", "[drawn]") {
  const std::string none = "null";
  const auto cells = drawnFrom(R"([{"shape": "cells", "at": [[5, 4]], "repeat": 4}])", 16, none);
  CHECK(cells->pairs() == 4);
  for (const Index i : {1, 5, 9, 13})
    CHECK(cells->contains(i, i - 1));
  const auto both = drawnFrom(
      R"([{"shape": "cells", "at": [[5, 4]], "repeat": {"period": 4, "mirror": true}}])", 16, none);
  CHECK(both->pairs() == 8);
  CHECK(both->contains(4, 5));
  const auto columns = drawnFrom(R"([{"shape": "column", "at": [3], "repeat": 8}])", 20, none);
  CHECK(columns->pairs() == 3 * 20);
  const auto rows =
      drawnFrom(R"([{"shape": "column", "at": [3], "repeat": {"mirror": true}}])", 20, none);
  CHECK(rows->pairs() == 39);
  const auto diagonals = drawnFrom(R"([{"shape": "diagonal", "at": [1], "repeat": 3}])", 6, none);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j)
      CHECK(diagonals->contains(i, j) == (floorMod(i - j, 3) == 1));
  const auto band = drawnFrom(R"([{"shape": "cells", "at": [[7, 5]], "repeat": 1}])", 9, none);
  CHECK(band->pairs() == 7);
  CHECK(band->contains(2, 0));
}

TEST_CASE("Strokes beyond the mask are cut off and come back with its length", "[drawn]") {
  const std::string strokes = R"([{"shape": "rectangle", "at": [4, 40, 2, 60]},
                                  {"shape": "cells", "at": [[50, 3]]}])";
  CHECK(drawnFrom(strokes, 8, "null")->pairs() == 4 * 6);
  CHECK(drawnFrom(strokes, 64, "null")->pairs() == 36 * 58 + 1);
}

TEST_CASE("Many strokes are counted in any rectangle as their twin has them", "[drawn]") {
  const int seed = GENERATE(range(0, 30));
  Dice dice(20000 + seed);
  const Index n = dice.within(20, 60);
  std::vector<Stroke> strokes{manyCells(dice, n, 80, true), manyCells(dice, n, 60, false)};
  for (const Stroke& more : randomStrokes(dice, n))
    strokes.push_back(more);
  strokes.push_back(manyCells(dice, n, 60, dice.chance(2)));
  VerticalSlash lines;
  for (Index o = 0; o < n; o += 3)
    lines.slash = IndexList{0, 3, 7, 11, 15, 19, 23, 27};
  lines.vertical = {0, 2, 5, 7, 9, 11, 13, 15, 17};
  for (const Pattern& on : {Pattern(Local{9}), Pattern(Strided{5}), Pattern(lines)}) {
    const Pattern pattern = Drawn{on, strokes};
    const auto p = prepare(pattern, squareLengths(n));
    CHECK(p->closedForm());
    CHECK(p->hasTables());
    CHECK(p->pairs() == cellsOfTwin(pattern, n, p->bounds()));
    for (int k = 0; k < 10; ++k) {
      const Rect rect = dice.rect(n, n);
      CHECK(p->count(rect) == cellsOfTwin(pattern, n, rect));
      CHECK(p->count(0, rect) + p->count(1, rect) == p->count(rect));
    }
  }
}

TEST_CASE("Few strokes are signed terms and go to the shader", "[drawn]") {
  const auto p = drawnFrom(R"([{"shape": "column", "at": [7]},
                               {"add": false, "shape": "diagonal", "at": [0, 3]},
                               {"shape": "cells", "at": [[9, 9], [9, 10], [10, 9], [10, 10]]}])",
                           Index{1} << 20);
  CHECK(p->closedForm());
  CHECK_FALSE(p->hasTables());
  CHECK(p->terms().size() <= 24);
}

TEST_CASE("The longest masks take strokes without taking their cells", "[drawn]") {
  const Index n = kMaxLength;
  const auto begin = std::chrono::steady_clock::now();
  const auto p = drawnFrom(R"([{"shape": "column", "at": [5]}, {"shape": "row", "at": [1000000]},
                               {"add": false, "shape": "diagonal", "at": [0]}])",
                           n, "null");
  CHECK(p->pairs() == 2 * n - 1 - 2);
  Dice dice(1);
  const Pattern many = Drawn{Causal{}, {manyCells(dice, n, 5000, true)}};
  const auto q = prepare(many, squareLengths(n));
  Index outside = 0;
  for (const IndexPlace& cell : many.as<Drawn>()->strokes[0].at)
    outside += cell[1] > cell[0] ? 1 : 0;
  CHECK(q->pairs() == triangle(n) + outside);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("More runs of keys than there is room for are refused in one sentence", "[drawn]") {
  const std::string strokes =
      R"([{"shape": "cells", "at": [[1, 0], [3, 9], [5, 2]], "repeat": 2}])";
  CHECK(codeOf([&] { drawnFrom(strokes, Index{1} << 26, "null"); }) == "E_RANGE");
  CHECK(messageOf([&] { drawnFrom(strokes, Index{1} << 26, "null"); }) ==
        "strokes is a list of more than 16777216 runs of keys in 67108864 rows; it must be one of "
        "fewer strokes, or with longer periods");
}

TEST_CASE("Wrong strokes are named by their place in the list", "[drawn]") {
  struct Case {
    const char* stroke;
    const char* code;
    const char* message;
  };
  const Case c = GENERATE(
      Case{R"({"shape": "cells", "at": [[1, -1]]})", "E_RANGE",
           "strokes[1].at is [1, -1]; it must be cells [i, j] with 0 ≤ i and 0 ≤ j, none above "
           "2^30"},
      Case{R"({"shape": "rectangle", "at": [4, 2, 0, 8]})", "E_RANGE",
           "strokes[1].at is [4, 2, 0, 8]; it must be [i0, i1, j0, j1] with 0 ≤ i0 ≤ i1 and 0 ≤ "
           "j0 ≤ j1, none above 2^30"},
      Case{R"({"shape": "rectangle", "at": [4, 5, 0]})", "E_TYPE",
           "strokes[1].at is [4, 5, 0]; it must be [i0, i1, j0, j1] with 0 ≤ i0 ≤ i1 and 0 ≤ j0 "
           "≤ j1"},
      Case{R"({"shape": "row", "at": [4, 5]})", "E_TYPE",
           "strokes[1].at is [4, 5]; it must be [i] or [i, j0, j1] with 0 ≤ i and 0 ≤ j0 ≤ j1"},
      Case{R"({"shape": "diagonal", "at": [4, 0]})", "E_RANGE",
           "strokes[1].at is [4, 0]; it must be [i − j] or [i − j, width] with 1 ≤ width, none "
           "above 2^30"},
      Case{R"({"shape": "column", "at": [1073741824]})", "E_RANGE",
           "strokes[1].at is [1073741824]; it must be [j] or [j, i0, i1] with 0 ≤ j and 0 ≤ i0 ≤ "
           "i1, none above 2^30"},
      Case{R"({"shape": "cells", "at": []})", "E_TYPE",
           "strokes[1].at is an empty list; it must be cells [i, j] with 0 ≤ i and 0 ≤ j"},
      Case{R"({"shape": "cells", "at": "all"})", "E_TYPE",
           "strokes[1].at is \"all\"; it must be a list of integers, or a list of such lists"},
      Case{R"({"shape": "cells", "at": [[1, 2.5]]})", "E_TYPE",
           "strokes[1].at is 2.5; it must be an integer"},
      Case{R"({"shape": "circle", "at": [1]})", "E_RANGE",
           "strokes[1].shape is circle; it must be one of cells, rectangle, row, column, diagonal"},
      Case{R"({"shape": 3, "at": [1]})", "E_TYPE", "strokes[1].shape is 3; it must be a name"},
      Case{R"({"add": 1, "shape": "row", "at": [1]})", "E_TYPE",
           "strokes[1].add is 1; it must be true or false"},
      Case{R"({"shape": "row", "at": [1], "repeat": 0})", "E_RANGE",
           "strokes[1].repeat is 0; it must be an integer of at least 1"},
      Case{R"({"shape": "row", "at": [1], "repeat": {"period": -4}})", "E_RANGE",
           "strokes[1].repeat.period is -4; it must be an integer of at least 1"},
      Case{R"({"shape": "row", "at": [1], "repeat": true})", "E_TYPE",
           "strokes[1].repeat is true; it must be a period or {\"period\", \"mirror\"}"},
      Case{R"({"shape": "row", "at": [1], "repeat": {"every": 2}})", "E_UNKNOWN",
           "field \"every\" of strokes[1].repeat is unknown; it must be period or mirror"},
      Case{R"({"shape": "row", "at": [1], "colour": 2})", "E_UNKNOWN",
           "field \"colour\" of strokes[1] is unknown; it must be add, shape, at or repeat"},
      Case{R"({"shape": "row"})", "E_TYPE",
           "strokes[1].at is missing; every stroke must have a shape and a place"},
      Case{"[1]", "E_TYPE",
           "strokes[1] is [1]; it must be an object with \"add\", \"shape\", \"at\" and "
           "\"repeat\""});
  const std::string strokes = R"([{"shape": "row", "at": [1]}, )" + std::string(c.stroke) + "]";
  CHECK(codeOf([&] { drawnFrom(strokes, 16); }) == c.code);
  CHECK(messageOf([&] { drawnFrom(strokes, 16); }) == c.message);
}

TEST_CASE("What is drawn on must be a pattern, and is checked", "[drawn]") {
  CHECK(codeOf([] { drawnFrom("[]", 16, "3"); }) == "E_TYPE");
  CHECK(codeOf([] { drawnFrom("{}", 16); }) == "E_TYPE");
  CHECK(messageOf([] {
          drawnFrom("[]", 16, R"({"mechanism": "strided", "params": {"stride": 0}})");
        }) == "stride is 0; it must be an integer of at least 1");
  CHECK_FALSE(needsData(Drawn{Causal{}, {}}));
  CHECK_FALSE(mayNeedData(Drawn{Causal{}, {}}));
  CHECK(needsData(Drawn{TopK{}, {}}));
  CHECK(mayNeedData(Drawn{Cluster{}, {}}));
}

TEST_CASE("Strokes are written as they are read, a single place without brackets", "[drawn]") {
  const std::string text =
      R"({"mechanism":"drawn","params":{"on":{"mechanism":"local","params":{"window":3}},)"
      R"("strokes":[{"add":true,"shape":"cells","at":[[1,2]]},)"
      R"({"add":false,"shape":"rectangle","at":[0,4,2,8],"repeat":16},)"
      R"({"add":true,"shape":"row","at":[[3],[5,1,9]],"repeat":{"mirror":true}},)"
      R"({"add":true,"shape":"diagonal","at":[-2,3],"repeat":{"period":8,"mirror":true}}]}})";
  CHECK(toJson(patternFrom(text)).dump() == text);
  CHECK(patternFrom("drawn", R"({"strokes": [{"shape": "cells", "at": [4, 5]}]})") ==
        patternFrom("drawn", R"({"strokes": [{"add": true, "shape": "cells", "at": [[4, 5]]}]})"));
}

TEST_CASE("What is drawn by hand is named by its pattern and the number of strokes", "[drawn]") {
  const Stroke row = strokeOf(Stroke::Shape::Row, {{3}});
  CHECK(titleText(Drawn{Local{3, true}, {row, row}}) == "Local, window 3, causal and 2 strokes");
  CHECK(titleText(Drawn{{}, {row}}) == "1 stroke by hand");
  CHECK(shortText(Drawn{Local{3, true}, {row}}) == "drawn on local, 1 stroke");
}

TEST_CASE("The first stroke is drawn on the pattern and the last one taken back leaves it",
          "[drawn]") {
  const Pattern local = Local{3, true};
  const Stroke row = strokeOf(Stroke::Shape::Row, {{3}});
  const Stroke column = strokeOf(Stroke::Shape::Column, {{5}}, false);
  const Pattern one = withStroke(local, row);
  CHECK(one == Pattern(Drawn{local, {row}}));
  const Pattern two = withStroke(one, column);
  CHECK(two == Pattern(Drawn{local, {row, column}}));
  CHECK(withoutLastStroke(two) == one);
  CHECK(withoutLastStroke(one) == local);
  CHECK(withoutStrokes(two) == local);
  CHECK(withoutLastStroke(local) == local);
  CHECK(withoutStrokes(Drawn{{}, {row}}) == Pattern(Drawn{}));
  CHECK(belowStrokes(Drawn{two, {row}}) == local);
}

TEST_CASE("A stroke is said in words", "[drawn]") {
  const auto words = [](const char* stroke) {
    return textOf(patternFrom("drawn", "{\"strokes\": [" + std::string(stroke) + "]}")
                      .as<Drawn>()
                      ->strokes[0]);
  };
  CHECK(words(R"({"shape": "cells", "at": [[3, 4]]})") == "add cell (3, 4)");
  CHECK(words(R"({"shape": "cells", "at": [[3, 4], [3, 5]], "repeat": 8})") ==
        "add 2 cells, every 8");
  CHECK(words(R"({"add": false, "shape": "rectangle", "at": [3, 6, 0, 1]})") ==
        "remove queries 3 … 5, keys 0");
  CHECK(words(R"({"shape": "column", "at": [7], "repeat": {"mirror": true}})") ==
        "add key 7, mirrored");
  CHECK(words(R"({"shape": "row", "at": [7, 2, 5]})") == "add query 7, keys 2 … 4");
  CHECK(words(R"({"shape": "row", "at": [[7], [9]]})") == "add 2 rows");
  CHECK(words(R"({"shape": "diagonal", "at": [-2, 3]})") == "add diagonals i − j = −2 … 0");
  CHECK(words(R"({"shape": "rectangle", "at": [3, 1]})") == "add 1 rectangle");
  CHECK(words(R"({"shape": "diagonal", "at": [-1]})") == "add diagonal i − j = −1");
  CHECK(textOf(removeFuture()) == "remove all above the diagonal");
}

TEST_CASE("One stroke removes what lies above the diagonal, at any length", "[drawn]") {
  for (const Index n : {1, 2, 7, 64, 1000}) {
    const Pattern full = patternFrom("drawn", R"({"strokes": [{"shape": "rectangle",
        "at": [0, 1000, 0, 1000]}]})");
    const auto mask = prepare(withStroke(full, removeFuture()), squareLengths(n));
    CHECK(mask->pairs() == n * (n + 1) / 2);
    CHECK_FALSE(mask->contains(0, n)); // beyond the mask
    CHECK(mask->contains(n - 1, n - 1));
  }
}

TEST_CASE("Pictures of what is drawn count every pixel as the cells say", "[drawn][coverage]") {
  const int seed = GENERATE(range(0, 12));
  Dice dice(31000 + seed);
  const Index n = dice.within(10, 50);
  std::vector<Stroke> strokes = randomStrokes(dice, n).get();
  strokes.push_back(manyCells(dice, n, 90, dice.chance(2)));
  const auto p = prepare(Drawn{Strided{4}, strokes}, squareLengths(n));
  const Lattice lattice = latticeOver(p->bounds(), dice.within(1, 9), dice.within(1, 9));
  const Coverage coverage = computeCoverage(*p, lattice);
  CHECK(coverage.exact);
  for (Index a = 0; a < lattice.rows(); ++a)
    for (Index b = 0; b < lattice.cols(); ++b) {
      const auto at = [](const std::vector<Index>& edges, Index k) {
        return edges[static_cast<std::size_t>(k)];
      };
      CHECK(coverage.total(a, b) ==
            p->count({at(lattice.rowEdges, a), at(lattice.rowEdges, a + 1), at(lattice.keyEdges, b),
                      at(lattice.keyEdges, b + 1)}));
    }
}
