// Each token, line, cell, point and word of the figure of Choosing: eight tokens near the four
// axes, by turns. Round 0 finds 04 15 26 37; round 1, turned by 37°, finds 04 15 2 367.
#include "core/input/npy_writer.h"
#include "core/pattern/mechanism/lsh.h"
#include "tests/core/figure/drawn.h"
#include "tests/core/figure/files.h"

#include <algorithm>
#include <array>
#include <map>

using namespace attention;

namespace {

constexpr std::array kOrder{0, 4, 1, 5, 2, 6, 3, 7}; // sorted by the buckets of round 0
constexpr std::array<std::array<int, 8>, 2> kBuckets{
    {{0, 1, 2, 3, 0, 1, 2, 3}, {0, 1, 2, 3, 0, 1, 3, 3}}};

DisplayList hashingList() {
  const TestFolder folder;
  const std::vector<double> x{1, 0.1,  0.2, 1,   -1,   0.3,  0.1,  -1,
                              1, -0.2, 0.3, 0.9, -0.9, -0.2, -0.2, -1.1};
  writeNpy<double>(folder / "x.npy", std::array<Index, 2>{8, 2}, std::span<const double>(x));
  Scene scene;
  scene.view = View::Choosing;
  FileInput files;
  files.qk = files.v = (folder / "x.npy").string();
  scene.input.source = files;
  Lsh lsh;
  lsh.buckets = {4};
  lsh.rounds = 2;
  lsh.chunk = 4;
  lsh.rotations = MatrixSource{"", {2, 2, 2}, {1, 0, 0, 1, 0.8, 0.6, -0.6, 0.8}};
  scene.pattern = lsh;
  SceneFigureOptions options;
  options.input = loadInput(scene.input);
  return drawn(scene, options);
}

// Middles of the tokens of the upper and the lower row, by their numbers.
struct Rows {
  std::array<double, 8> upper{};
  std::array<double, 8> lower{};
};
Rows rowsOf(const DisplayList& list) {
  Rows rows;
  const auto texts = all<Text>(list);
  const auto first =
      std::find_if(texts.begin(), texts.end(), [](const Text& t) { return t.text == "0"; });
  REQUIRE(texts.end() - first > 16);
  for (std::size_t k = 0; k < 8; ++k) {
    CHECK((first + static_cast<std::ptrdiff_t>(k))->text == std::to_string(k));
    CHECK((first + static_cast<std::ptrdiff_t>(8 + k))->text == std::to_string(k));
    rows.upper[k] = (first + static_cast<std::ptrdiff_t>(k))->at.x;
    rows.lower[k] = (first + static_cast<std::ptrdiff_t>(8 + k))->at.x;
  }
  return rows;
}

TEST_CASE("Tokens are drawn in the original and the sorted order, joined by lines", "[drawn]") {
  const DisplayList list = hashingList();
  const Rows rows = rowsOf(list);
  for (std::size_t k = 1; k < 8; ++k) {
    CHECK(rows.upper[k] > rows.upper[k - 1]);
    CHECK(near(rows.lower[static_cast<std::size_t>(kOrder[k])], rows.upper[k]));
  }
  std::array<int, 8> moves{};
  for (const Polyline& line : all<Polyline>(list))
    for (std::size_t k = 0; k < 8; ++k)
      if (line.points.size() == 2 && near(line.points[0].x, rows.upper[k]) &&
          near(line.points[1].x, rows.lower[k]) && line.width < 0.8)
        ++moves[k];
  CHECK(moves == std::array{1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("Boxes of tokens have the colours of their buckets, of both rounds", "[drawn]") {
  const DisplayList list = hashingList();
  const Rows rows = rowsOf(list);
  // By rows from the top: original order, sorted, and a strip for each round; the colour of each
  // token.
  std::map<double, std::map<int, Color>> strips;
  for (const FillBoxes& fill : all<FillBoxes>(list))
    for (const Box& box : fill.boxes) {
      const double middle = fill.origin.x + fill.unit.width * (box.x + box.width / 2);
      const double y = fill.origin.y + fill.unit.height * box.y;
      for (std::size_t k = 0; k < 8; ++k)
        if (y < 320 && near(middle, rows.upper[k]))
          strips[std::round(y)][static_cast<int>(k)] = fill.color;
    }
  REQUIRE(strips.size() == 4);
  std::vector<std::map<int, Color>> colors;
  for (const auto& [y, row] : strips) {
    REQUIRE(row.size() == 8);
    colors.push_back(row);
  }
  const auto huesOf = [&](std::size_t row, const std::array<int, 4>& places) {
    std::array<Color, 4> hues;
    for (std::size_t bucket = 0; bucket < 4; ++bucket)
      hues[bucket] = colors[row][places[bucket]];
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        CHECK_FALSE(hues[a] == hues[b]);
    return hues;
  };
  const auto upper = huesOf(0, {0, 1, 2, 3});
  const auto sorted = huesOf(1, {0, 2, 4, 6});
  const auto rounds = huesOf(2, {0, 1, 2, 3});
  const auto bucketOf = [](std::size_t round, int token) {
    return static_cast<std::size_t>(kBuckets[round][static_cast<std::size_t>(token)]);
  };
  for (int k = 0; k < 8; ++k) {
    INFO("place " << k);
    CHECK(colors[0][k] == upper[bucketOf(0, k)]);
    CHECK(colors[1][k] == sorted[bucketOf(0, kOrder[static_cast<std::size_t>(k)])]);
    CHECK(colors[2][k] == rounds[bucketOf(0, k)]);
    CHECK(colors[3][k] == rounds[bucketOf(1, k)]);
  }
}

TEST_CASE("The matrices have the pairs of all rounds, in the original and the sorted order",
          "[drawn]") {
  const DisplayList list = hashingList();
  const auto pictures = all<Picture>(list);
  REQUIRE(pictures.size() == 2);
  const auto sees = [](int i, int j) {
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    return i != j && (kBuckets[0][a] == kBuckets[0][b] || kBuckets[1][a] == kBuckets[1][b]);
  };
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t col = 0; col < 8; ++col) {
      INFO(row << ", " << col);
      CHECK((pictures[0].image->pixels[8 * row + col] != list.ground) ==
            sees(static_cast<int>(row), static_cast<int>(col)));
      CHECK((pictures[1].image->pixels[8 * row + col] != list.ground) ==
            sees(kOrder[row], kOrder[col]));
    }
  const Box& sorted = pictures[1].box;
  const double middle = sorted.x + sorted.width / 2;
  CHECK(linesAt(list, {middle, sorted.y, middle, sorted.bottom()}) ==
        2); // grid, and chunks' border
  CHECK(linesAt(list, {sorted.x, sorted.y + sorted.height / 2, sorted.right(),
                       sorted.y + sorted.height / 2}) == 2);
}

TEST_CASE("The curves have what one round and two keep", "[drawn]") {
  const DisplayList list = hashingList();
  const Box frame = all<StrokeBox>(list).back().box;
  // Of softmax(xᵢ·xⱼ / |xⱼ|): what as many others would keep by chance, the recall of ten keys,
  // here all 7 others, and what is kept.
  const std::array<std::array<double, 2>, 3> wanted{
      {{0.10458, 0.15670}, {8.0 / 56, 12.0 / 56}, {0.25367, 0.31889}}};
  const auto markers = all<Markers>(list);
  REQUIRE(markers.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    REQUIRE(markers[k].centres.size() == 2);
    CHECK(near(markers[k].centres[0].x, frame.x));
    CHECK(near(markers[k].centres[1].x, frame.right()));
    for (std::size_t r = 0; r < 2; ++r)
      CHECK((frame.bottom() - markers[k].centres[r].y) / frame.height ==
            Approx(wanted[k][r]).margin(1e-4));
  }
}

TEST_CASE("The figure of Choosing has these words", "[drawn]") {
  const Words words = wordsOf(hashingList());
  const Words order{"0", "4", "1", "5", "2", "6", "3", "7"};
  const Words plain{"0", "1", "2", "3", "4", "5", "6", "7"};
  Words wanted;
  const auto add = [&](const Words& more) {
    wanted.insert(wanted.end(), more.begin(), more.end());
  };
  add({"Tokens sorted by bucket: LSH (Reformer), 4 buckets, 2 rounds, chunk 4, rotations given"});
  add(plain);
  add(plain);
  add({"tokens", "by bucket", "0", "1", "2", "3", "bucket", "round 0", "chunk 4", "round 1",
       "original order"});
  add(plain);
  add({"key j"});
  add(plain);
  add({"query i", "sorted by bucket, round 0"});
  add(order);
  add({"keys, sorted"});
  add(order);
  add({"queries, sorted", "what is kept of attention", "1", "2", "hash rounds", "0", "0.5", "1.0",
       "share", "current"});
  REQUIRE(words.size() > wanted.size());
  CHECK(Words(words.begin(), words.begin() + std::ssize(wanted)) == wanted);
}

} // namespace
