// Each edge, token, point, cell and word of the figure of Reach: two layers of strided attention
// over ten tokens, whose receptive fields are computed here.
#include "tests/core/figure/drawn.h"
#include "tests/core/pattern/pattern_text.h"

#include <array>

using namespace attention;

namespace {

constexpr Index kN = 10;
constexpr Index kLayers = 2;
constexpr Index kToken = 7;

bool sees(Index i, Index j) {
  return j <= i && (i - j <= 3 || (i - j) % 3 == 0);
}

// Layers from query i down to key j; more than two in none of these.
Index hops(Index i, Index j) {
  if (i == j)
    return 0;
  if (sees(i, j))
    return 1;
  for (Index k = 0; k < kN; ++k)
    if (sees(i, k) && sees(k, j))
      return 2;
  return -1;
}

// Whether the token in a row of the graph, 0 the input's, influences the chosen one.
bool influences(Index row, Index token) {
  const Index needed = hops(kToken, token);
  return needed >= 0 && needed <= kLayers - row;
}

Scene twoLayers() {
  Scene scene;
  scene.view = View::Reach;
  scene.pattern = patternFrom("strided", R"({"stride": 3})");
  scene.length.n = kN;
  scene.reach.layers = kLayers;
  scene.pins = {kToken, 4};
  return scene;
}

// Places of the tokens of the graph, from their numbers below it and the names of its rows.
struct Places {
  std::array<double, kN> x{};
  std::array<double, kLayers + 1> y{};
};
Places placesOf(const DisplayList& list) {
  Places places;
  const auto texts = all<Text>(list);
  const auto rowOf = [&](const std::string& words) {
    for (const Text& text : texts)
      if (text.text == words)
        return text.at.y;
    FAIL("no row " << words);
    return 0.0;
  };
  const std::array rows{rowOf("input"), rowOf("layer 1"), rowOf("layer 2")};
  for (const Markers& markers : all<Markers>(list))
    for (const Point& at : markers.centres)
      for (std::size_t row = 0; row < rows.size(); ++row)
        if (std::abs(at.y - rows[row]) < 6)
          places.y[row] = at.y;
  std::size_t next = 0;
  for (const Text& text : texts)
    if (next < kN && text.text == std::to_string(next) && text.at.y > rows[0])
      places.x[next++] = text.at.x;
  REQUIRE(next == kN);
  return places;
}

TEST_CASE("The graph of layers has each edge and each token once", "[drawn]") {
  const DisplayList list = drawn(twoLayers());
  const Places at = placesOf(list);
  std::size_t edges = 0;
  for (Index row = 1; row <= kLayers; ++row)
    for (Index i = 0; i < kN; ++i)
      for (Index j = 0; j < kN; ++j) {
        const auto upper = static_cast<std::size_t>(row);
        int found = 0;
        bool lit = false;
        for (const Polyline& line : all<Polyline>(list)) {
          if (line.points.size() != 2 ||
              !near(line.points[0].x, at.x[static_cast<std::size_t>(i)]) ||
              !near(line.points[1].x, at.x[static_cast<std::size_t>(j)]) ||
              !near(line.points[0].y, at.y[upper]) || !near(line.points[1].y, at.y[upper - 1]))
            continue;
          ++found;
          lit = line.width > 1;
        }
        INFO("layer " << row << ": " << i << " to " << j);
        CHECK(found == (sees(i, j) ? 1 : 0));
        if (sees(i, j))
          CHECK(lit == influences(row, i));
        edges += static_cast<std::size_t>(found);
      }
  CHECK(edges == 2 * 39);
  std::size_t tokens = 0;
  for (const Markers& markers : all<Markers>(list)) {
    if (markers.radius < 4)
      continue; // of the curve
    const bool lit = markers.centres.size() == 14;
    for (const Point& p : markers.centres)
      for (std::size_t row = 0; row <= kLayers; ++row)
        for (std::size_t token = 0; token < kN; ++token)
          if (near(p.x, at.x[token]) && near(p.y, at.y[row])) {
            ++tokens;
            CHECK(lit == influences(static_cast<Index>(row), static_cast<Index>(token)));
          }
  }
  CHECK(tokens == 3 * kN);
  // The path stays at 7 in layer 2 and goes to 4 in layer 1.
  std::size_t paths = 0;
  for (const Polyline& line : all<Polyline>(list))
    if (line.width > 2) {
      ++paths;
      REQUIRE(line.points.size() == 3);
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(near(line.points[k].x, at.x[k < 2 ? 7 : 4]));
        CHECK(near(line.points[k].y, at.y[2 - k]));
      }
    }
  CHECK(paths == 1);
}

TEST_CASE("The growth has the share that every layer reaches", "[drawn]") {
  const DisplayList list = drawn(twoLayers());
  const Box frame = all<StrokeBox>(list).front().box;
  std::array<double, kLayers + 1> shares{};
  for (std::size_t layer = 0; layer <= kLayers; ++layer)
    for (Index i = 0; i < kN; ++i)
      for (Index j = 0; j <= i; ++j)
        if (hops(i, j) >= 0 && hops(i, j) <= static_cast<Index>(layer))
          shares[layer] += 1.0 / 55;
  std::size_t curves = 0;
  for (const Markers& markers : all<Markers>(list)) {
    if (markers.radius > 4)
      continue;
    ++curves;
    REQUIRE(markers.centres.size() == kLayers + 1);
    for (std::size_t k = 0; k <= kLayers; ++k) {
      CHECK(near(markers.centres[k].x, frame.x + frame.width * static_cast<double>(k) / kLayers));
      CHECK(near(markers.centres[k].y, frame.bottom() - frame.height * shares[k]));
    }
  }
  CHECK(curves == 1);
}

TEST_CASE("The matrix has the hops of every pair in the legend's colours", "[drawn]") {
  const DisplayList list = drawn(twoLayers());
  const auto pictures = all<Picture>(list);
  REQUIRE(pictures.size() == 1);
  const Image& image = *pictures[0].image;
  REQUIRE(image.width == kN);
  REQUIRE(image.height == kN);
  const std::array legend{swatchOf(list, "0 layers"), swatchOf(list, "1 layer"),
                          swatchOf(list, "2 layers")};
  for (Index i = 0; i < kN; ++i)
    for (Index j = 0; j < kN; ++j) {
      const Index needed = hops(i, j);
      INFO(i << ", " << j);
      CHECK(image.pixels[static_cast<std::size_t>(kN * i + j)] ==
            (needed < 0 ? list.ground : legend.at(static_cast<std::size_t>(needed))));
    }
  const Lattice2D matrix{pictures[0].box, kN, kN};
  checkGrid(list, matrix);
  CHECK(near(all<StrokeBox>(list).back().box, pictures[0].box));
}

TEST_CASE("The figure of Reach has these words and no others", "[drawn]") {
  CHECK(wordsOf(drawn(twoLayers())) ==
        Words{"What token 7 sees through 2 layers of Strided, stride 3",
              "input",
              "layer 1",
              "layer 2",
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
              "token",
              "share of visible tokens reached",
              "0",
              "1",
              "2",
              "layers",
              "0",
              "0.5",
              "1.0",
              "Strided, stride 3",
              "layers until key j reaches query i",
              "0",
              "5",
              "9",
              "key j",
              "0",
              "5",
              "9",
              "query i",
              "0 layers",
              "1 layer",
              "2 layers"});
}

} // namespace
