// Each cell, line, number and word of the figures of Mask and Compare, for ten tokens: strided
// attention, where query i attends to the three keys before it, itself and every third one.
#include "tests/core/figure/drawn.h"
#include "tests/core/pattern/pattern_text.h"

#include <array>
#include <set>

using namespace attention;

namespace {

constexpr Index kN = 10;
bool isNear(Index i, Index j) {
  return j <= i && i - j <= 3;
}
bool isStrided(Index i, Index j) {
  return isNear(i, j) || (j <= i && (i - j) % 3 == 0);
}
bool isLocal(Index i, Index j) {
  return j <= i && i - j < 3;
}

Scene tenTokens(View view) {
  Scene scene;
  scene.view = view;
  scene.pattern = patternFrom("strided", R"({"stride": 3})");
  scene.length.n = kN;
  scene.pins = {7, 4};
  return scene;
}

// Numbers of every `step`-th column and the last, and of rows, each at the middle of its cell with
// a tick; returns how many lines these take.
int checkNumbers(const DisplayList& list, const Lattice2D& of, Index step, bool rows) {
  const auto texts = all<Text>(list);
  int ticks = 0;
  for (Index k = 0; k < kN; ++k) {
    if (k == kN - 1 || (k % step == 0 && k + step < kN)) {
      const double x = of.x(static_cast<double>(k) + 0.5);
      const double y = of.y(static_cast<double>(k) + 0.5);
      const Text* above = textAt(texts, x, of.frame.y - 5, 3);
      const Text* beside = textAt(texts, of.frame.x - 5, y + 4, 3);
      INFO("token " << k);
      REQUIRE(above);
      CHECK(above->text == std::to_string(k));
      REQUIRE((beside != nullptr) == rows);
      if (beside)
        CHECK(beside->text == std::to_string(k));
      for (const Polyline& line : all<Polyline>(list)) {
        const Point& p = line.points.front();
        const Point& q = line.points.back();
        ticks += near(p.x, x) && near(q.x, x) && near(q.y, of.frame.y) ? 1 : 0;
        ticks += near(p.y, y) && near(q.y, y) && near(q.x, of.frame.x) ? 1 : 0;
      }
    }
  }
  return ticks;
}

TEST_CASE("The figure of a mask has each cell, line, number and word once", "[drawn]") {
  const DisplayList list = drawn(tenTokens(View::Mask));
  const auto boxes = all<StrokeBox>(list);
  REQUIRE(boxes.size() == 3);
  const Lattice2D mask{boxes[0].box, kN, kN};
  CHECK(mask.frame.width == mask.frame.height);
  CHECK(near(boxes[1].box, {mask.x(0), mask.y(7), mask.frame.width, mask.height()}));
  CHECK(near(boxes[2].box, {mask.x(4), mask.y(0), mask.width(), mask.frame.height}));
  const Color first = swatchOf(list, "A¹ previous ℓ");
  const Color second = swatchOf(list, "A² every ℓ-th");
  CHECK(first == figureColors(FigureTheme::Light).series[0]);
  CHECK(second == figureColors(FigureTheme::Light).series[1]);
  const std::vector<Color> cells = cellColors(list, mask);
  for (Index i = 0; i < kN; ++i)
    for (Index j = 0; j < kN; ++j) {
      INFO(i << ", " << j);
      CHECK(cells[static_cast<std::size_t>(kN * i + j)] == (isNear(i, j)      ? first
                                                            : isStrided(i, j) ? second
                                                                              : Color{0, 0, 0, 0}));
    }
  const int lines = checkGrid(list, mask) + checkNumbers(list, mask, 1, true);
  CHECK(lines == 18 + 20);
  CHECK(all<Polyline>(list).size() == 38);
  CHECK(wordsOf(list) == Words{"Strided, stride 3",
                               "0",
                               "1",
                               "2",
                               "3",
                               "4",
                               "5",
                               "6",
                               "7",
                               "8",
                               "9",
                               "key j",
                               "0",
                               "1",
                               "2",
                               "3",
                               "4",
                               "5",
                               "6",
                               "7",
                               "8",
                               "9",
                               "query i",
                               "A¹ previous ℓ",
                               "A² every ℓ-th"});
  CHECK(list.items.size() ==
        3 + 38 + 25 + 4); // boxes, lines, words, two kinds of cells and swatches
}

TEST_CASE("The figure of a comparison has both masks and what only one of them has", "[drawn]") {
  Scene scene = tenTokens(View::Compare);
  scene.compare.patterns = {{"", patternFrom("local", R"({"window": 3, "causal": true})")},
                            {"", scene.pattern}};
  const DisplayList list = drawn(scene);
  const auto boxes = all<StrokeBox>(list);
  REQUIRE(boxes.size() == 9);
  const std::array colors{swatchOf(list, "in both"), swatchOf(list, "only in (a)"),
                          swatchOf(list, "only in (b)")};
  CHECK(std::set<std::array<int, 3>>{{colors[0].r, colors[0].g, colors[0].b},
                                     {colors[1].r, colors[1].g, colors[1].b},
                                     {colors[2].r, colors[2].g, colors[2].b}}
            .size() == 3);
  int lines = 0;
  for (std::size_t panel = 0; panel < 3; ++panel) {
    const Lattice2D mask{boxes[3 * panel].box, kN, kN};
    CHECK(near(boxes[3 * panel + 1].box, {mask.x(0), mask.y(7), mask.frame.width, mask.height()}));
    CHECK(near(boxes[3 * panel + 2].box, {mask.x(4), mask.y(0), mask.width(), mask.frame.height}));
    lines += checkGrid(list, mask) + checkNumbers(list, mask, 2, panel == 0);
    const std::vector<Color> cells = cellColors(list, mask);
    for (Index i = 0; i < kN; ++i)
      for (Index j = 0; j < kN; ++j) {
        const Color& cell = cells[static_cast<std::size_t>(kN * i + j)];
        INFO("panel " << panel << ": " << i << ", " << j);
        if (panel == 2)
          CHECK(cell == (isLocal(i, j)     ? colors[0]
                         : isStrided(i, j) ? colors[2]
                                           : Color{0, 0, 0, 0}));
        else
          CHECK((cell.a > 0) == (panel == 0 ? isLocal(i, j) : isStrided(i, j)));
      }
  }
  CHECK(static_cast<std::size_t>(lines) == all<Polyline>(list).size());
  Words words{"Patterns compared"};
  for (const char* title : {"(a) Local, window 3, causal · 27 pairs",
                            "(b) Strided, stride 3 · 39 pairs", "difference · 12 pairs"})
    for (const char* word : {title, "0", "2", "4", "6", "9", "key j"})
      words.emplace_back(word);
  words.insert(words.begin() + 8, {"0", "2", "4", "6", "9", "query i"});
  words.insert(words.end(), {"in both", "only in (a)", "only in (b)"});
  CHECK(wordsOf(list) == words);
}

} // namespace
