// Each table, cell, traced row and word of the figure of Encodings, for a grid of 4 × 5 positions.
#include "tests/core/figure/drawn.h"

#include <array>

using namespace attention;

namespace {

DisplayList encodingsList() {
  Scene scene;
  scene.view = View::Encodings;
  scene.encodings.l1 = 4;
  scene.encodings.l2 = 5;
  scene.encodings.d1 = 6;
  scene.encodings.d2 = 2;
  scene.encodings.position = 7; // row 3 of E1, row 1 of E2
  return drawn(scene);
}

enum Table { kE1, kE2, kPositions, kE };

const Color& pixel(const Picture& picture, int row, int col) {
  return picture.image->pixels.at(static_cast<std::size_t>(row * picture.image->width + col));
}

TEST_CASE("Every row of E is a row of each table", "[drawn]") {
  const auto tables = all<Picture>(encodingsList());
  REQUIRE(tables.size() == 4);
  constexpr std::array<std::array<int, 2>, 4> kShapes{{{4, 6}, {5, 2}, {5, 4}, {20, 8}}};
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(tables[k].image->height == kShapes[k][0]);
    CHECK(tables[k].image->width == kShapes[k][1]);
  }
  for (int j = 0; j < 20; ++j)
    for (int c = 0; c < 8; ++c) {
      INFO("position " << j << ", feature " << c);
      CHECK(pixel(tables[kE], j, c) ==
            (c < 6 ? pixel(tables[kE1], j % 4, c) : pixel(tables[kE2], j / 4, c - 6)));
    }
  // sin 0 and cos 0 of row 0: zero and one.
  const Color zero = pixel(tables[kE1], 0, 0);
  const Color one = pixel(tables[kE1], 0, 1);
  for (const int c : {0, 2, 4})
    CHECK(pixel(tables[kE1], 0, c) == zero);
  for (const int c : {1, 3, 5})
    CHECK(pixel(tables[kE1], 0, c) == one);
  CHECK(pixel(tables[kE2], 0, 0) == zero);
  CHECK(pixel(tables[kE2], 0, 1) == one);
  CHECK(zero == encodingsList().ground);
  CHECK(one == swatchOf(encodingsList(), "1"));
  // Positions 0 … 19 go along the rows of E1 first.
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 5; ++b)
      CHECK((pixel(tables[kPositions], b, a) == pixel(tables[kPositions], 1, 3)) ==
            (4 * b + a == 7));
}

TEST_CASE("The traced position has a line in each table", "[drawn]") {
  const DisplayList list = encodingsList();
  const auto tables = all<Picture>(list);
  std::array<DrawnLine, 4> wanted;
  const std::array<double, 4> rows{3.5 / 4, 1.5 / 5, 1.5 / 5, 7.5 / 20};
  for (std::size_t k = 0; k < 4; ++k) {
    const Box& box = tables[k].box;
    const double y = box.y + box.height * rows[k];
    wanted[k] = {k == kPositions ? box.x + box.width * 3 / 4 : box.x, y, box.right(), y};
    INFO("table " << k);
    CHECK(linesAt(list, wanted[k]) == 2); // and its background below it
  }
  // A dashed line parts E1's features from E2's.
  const Box& whole = tables[kE].box;
  int dashed = 0;
  for (const Polyline& line : all<Polyline>(list))
    if (line.dash != Dash::Solid) {
      ++dashed;
      CHECK(near(line.points[0].x, whole.x + whole.width * 6 / 8));
    }
  CHECK(dashed == 1);
}

TEST_CASE("The figure of Encodings has these words and no others", "[drawn]") {
  Words wanted{"Axial positional encoding of 20 positions from tables of 4 × 6 and 5 × 2"};
  const auto add = [&](const Words& more) {
    wanted.insert(wanted.end(), more.begin(), more.end());
  };
  const auto numbers = [&](int count, int step) { // of cells, the last one too
    for (int k = 0; k < count - 1; k += step)
      wanted.push_back(std::to_string(k));
    wanted.push_back(std::to_string(count - 1));
  };
  add({"E1, 4 × 6"});
  numbers(6, 1);
  add({"feature"});
  numbers(4, 1);
  add({"row of E1", "E2, 5 × 2"});
  numbers(2, 1);
  add({"feature"});
  numbers(5, 1);
  add({"row of E2", "position of each pair of rows"});
  numbers(4, 1);
  add({"row of E1"});
  numbers(5, 1);
  add({"row of E2", "E = [E1 | E2], 20 × 8"});
  numbers(8, 1);
  add({"feature"});
  add({"0", "4", "8", "12", "19"});
  add({"position j", "−1", "−0.5", "0", "0.5", "1",
       "Sinusoidal tables; position 7 is row 3 of E1 beside row 1 of E2 (lines)."});
  CHECK(wordsOf(encodingsList()) == wanted);
}

} // namespace
