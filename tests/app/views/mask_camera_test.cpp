// Laws of the camera and of cutting an axis into texels, over random masks and zooms.
#include "app/gui/pictures/mask_camera.h"
#include "app/gui/pictures/mask_pointer.h"
#include "app/gui/pictures/raster_image.h"
#include "app/gui/pictures/texel_axis.h"
#include "app/gui/views/mask/token_image.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace attention;
using namespace attention::gui;

namespace {

struct Case {
  Lengths lengths;
  gui::Rect area;
};

Case randomCase(std::mt19937& random) {
  const auto length = [&] {
    const double exponent = std::uniform_real_distribution<double>(0, 24)(random);
    return std::max<Index>(static_cast<Index>(std::exp2(exponent)), 1);
  };
  const auto side = [&] {
    return static_cast<float>(std::uniform_int_distribution<int>(40, 1500)(random));
  };
  const auto corner = static_cast<float>(std::uniform_int_distribution<int>(0, 90)(random));
  const Index n = length();
  const bool square = random() % 2 == 0;
  return {{square ? n : length(), n, 0}, {corner, corner, corner + side(), corner + side()}};
}

double within(std::mt19937& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

} // namespace

TEST_CASE("Fit shows the whole mask and no more than fits") {
  std::mt19937 random(1);
  for (int k = 0; k < 300; ++k) {
    const Case c = randomCase(random);
    const MaskFrame frame = frameOf(c.lengths, std::nullopt, c.area);
    CHECK(frame.x(0) >= c.area.x0 - 0.01F);
    CHECK(frame.y(0) >= c.area.y0 - 0.01F);
    CHECK(frame.x(static_cast<double>(c.lengths.keys)) <= c.area.x1 + 0.01F);
    CHECK(frame.y(static_cast<double>(c.lengths.queries)) <= c.area.y1 + 0.01F);
    const CellRect all{0, c.lengths.queries, 0, c.lengths.keys};
    CHECK(visibleCells(frame, c.lengths) == all);
  }
}

TEST_CASE("Zooming keeps the cell under the pointer") {
  std::mt19937 random(2);
  int interior = 0;
  for (int k = 0; k < 2000; ++k) {
    const Case c = randomCase(random);
    const auto keys = static_cast<double>(c.lengths.keys);
    const auto queries = static_cast<double>(c.lengths.queries);
    const Camera start{queries / 2, keys / 2, std::min(queries, keys) / within(random, 2, 20)};
    const MaskFrame before = frameOf(c.lengths, start, c.area);
    const auto px = static_cast<float>(within(random, c.area.x0, c.area.x1));
    const auto py = static_cast<float>(within(random, c.area.y0, c.area.y1));
    const auto camera = zoomed(before, c.lengths, within(random, 0.7, 30), px, py);
    const MaskFrame after = frameOf(c.lengths, camera, c.area);
    const CellRect seen = visibleCells(after, c.lengths);
    const bool inside = seen.rowBegin > 0 && seen.keyBegin > 0 && seen.rowEnd < c.lengths.queries &&
                        seen.keyEnd < c.lengths.keys;
    if (!inside)
      continue; // at its edges the mask stays where it is
    ++interior;
    CHECK(after.keyAt(px) == Approx(before.keyAt(px)).epsilon(1e-9));
    CHECK(after.queryAt(py) == Approx(before.queryAt(py)).epsilon(1e-9));
  }
  CHECK(interior > 500);
}

TEST_CASE("Zooming in and out again leads back to the whole mask") {
  std::mt19937 random(3);
  for (int k = 0; k < 300; ++k) {
    const Case c = randomCase(random);
    std::optional<Camera> camera;
    for (int step = 0; step < 12; ++step)
      camera = zoomed(frameOf(c.lengths, camera, c.area), c.lengths, 1.5,
                      static_cast<float>(within(random, c.area.x0, c.area.x1)),
                      static_cast<float>(within(random, c.area.y0, c.area.y1)));
    for (int step = 0; step < 13; ++step)
      camera = zoomed(frameOf(c.lengths, camera, c.area), c.lengths, 1 / 1.5, c.area.x0, c.area.y0);
    CHECK_FALSE(camera);
  }
}

TEST_CASE("A drag moves the cells by its points and stops at the edge of the mask") {
  const Lengths lengths = squareLengths(1000);
  const gui::Rect area{0, 0, 500, 500};
  const Camera camera{500, 500, 100};
  const MaskFrame frame = frameOf(lengths, camera, area);
  CHECK(frame.scale == Approx(5));
  const MaskFrame moved = frameOf(lengths, panned(frame, lengths, 35, -10), area);
  CHECK(moved.key0 == Approx(frame.key0 - 7));
  CHECK(moved.query0 == Approx(frame.query0 + 2));
  const MaskFrame far = frameOf(lengths, panned(frame, lengths, 1e6F, -1e6F), area);
  CHECK(far.key0 == Approx(0));
  CHECK(far.query0 == Approx(900));
}

TEST_CASE("Screen and cells are inverse to each other at every zoom") {
  std::mt19937 random(4);
  for (int k = 0; k < 500; ++k) {
    const Case c = randomCase(random);
    const MaskFrame fit = frameOf(c.lengths, std::nullopt, c.area);
    const auto camera =
        zoomed(fit, c.lengths, within(random, 1, 1e6), c.area.centerX(), c.area.centerY());
    const MaskFrame frame = frameOf(c.lengths, camera, c.area);
    const CellRect seen = visibleCells(frame, c.lengths);
    const Index query =
        std::uniform_int_distribution<Index>(seen.rowBegin, seen.rowEnd - 1)(random);
    const Index key = std::uniform_int_distribution<Index>(seen.keyBegin, seen.keyEnd - 1)(random);
    if (frame.scale < 2)
      continue;
    const float x = frame.x(static_cast<double>(key) + 0.5);
    const float y = frame.y(static_cast<double>(query) + 0.5);
    const auto cell = cellAt(frame, c.lengths, x, y);
    const bool inside = x >= c.area.x0 && x < c.area.x1 && y >= c.area.y0 && y < c.area.y1;
    CHECK(bool(cell) == inside);
    if (cell)
      CHECK(*cell == Cell{query, key});
  }
}

TEST_CASE("A camera shows the same after the window is resized and back") {
  const Lengths lengths = squareLengths(4096);
  const Camera camera{1000, 2000, 64};
  const MaskFrame small = frameOf(lengths, camera, {0, 0, 300, 300});
  const MaskFrame large = frameOf(lengths, camera, {0, 0, 900, 900});
  CHECK(small.query0 == Approx(large.query0));
  CHECK(small.key0 == Approx(large.key0));
  CHECK(large.scale == Approx(3 * small.scale));
}

TEST_CASE("Showing a cell moves the camera as little as needed") {
  const Lengths lengths = squareLengths(1000);
  const gui::Rect area{0, 0, 500, 500};
  const Camera camera{500, 500, 100};
  const MaskFrame frame = frameOf(lengths, camera, area);
  CHECK(showing(frame, lengths, camera, {480, 481, 520, 521}) == camera);
  const auto moved = showing(frame, lengths, camera, {550, 551, 450, 550});
  REQUIRE(moved);
  CHECK(frameOf(lengths, moved, area).query0 == Approx(451));
  CHECK(moved->key == Approx(500));
}

TEST_CASE("Edges of pixels are ascending whole tokens that cover all that is visible") {
  std::mt19937 random(5);
  for (int k = 0; k < 500; ++k) {
    const Case c = randomCase(random);
    const auto camera = zoomed(frameOf(c.lengths, std::nullopt, c.area), c.lengths,
                               within(random, 1, 3000), c.area.centerX(), c.area.centerY());
    const MaskFrame frame = frameOf(c.lengths, camera, c.area);
    const auto pixels = static_cast<Index>(c.area.x1 - c.area.x0);
    const TexelAxis axis = texelAxis(c.lengths.keys, frame.key0, frame.scale, pixels);
    const CellRect seen = visibleCells(frame, c.lengths);
    REQUIRE(axis.edges.size() >= 2);
    CHECK(axis.edges.front() >= 0);
    CHECK(axis.edges.back() <= c.lengths.keys);
    // The nearest whole pixel may be up to half a pixel away.
    const auto pixel = static_cast<Index>(std::ceil(1 / frame.scale));
    CHECK(axis.edges.front() <= seen.keyBegin + pixel);
    CHECK(axis.edges.back() >= seen.keyEnd - pixel);
    bool rising = true;
    for (std::size_t e = 1; e < axis.edges.size(); ++e)
      rising = rising && axis.edges[e] > axis.edges[e - 1];
    CHECK(rising);
    CHECK(axis.edges.size() <= static_cast<std::size_t>(pixels) * 3 / 2 + 8);
    if (axis.kind != TexelKind::Filtered)
      CHECK(axis.edges.size() == static_cast<std::size_t>(axis.texels) + 1);
  }
}

TEST_CASE("A drag by whole pixels keeps the edges of the pixels that stay") {
  const Index n = 1 << 24;
  const double scale = 700.0 / (1 << 20);
  const TexelAxis before = texelAxis(n, 4e6, scale, 700);
  const TexelAxis after = texelAxis(n, 4e6 + 300 / scale, scale, 700);
  const auto shift = static_cast<std::size_t>(after.first - before.first);
  REQUIRE(shift > 0);
  for (std::size_t k = 0; k + shift < before.edges.size(); ++k)
    CHECK(after.edges[k] == before.edges[k + shift]);
}

TEST_CASE("A small drag asks for no new raster") {
  const double scale = 0.01;
  const TexelAxis before = texelAxis(1 << 20, 50000, scale, 800);
  int changes = 0;
  TexelAxis last = before;
  for (int pixel = 1; pixel <= 400; ++pixel) {
    const TexelAxis now = texelAxis(1 << 20, 50000 + pixel / scale, scale, 800);
    changes += now == last ? 0 : 1;
    last = now;
  }
  CHECK(changes == 4); // an eighth of 800 pixels is 100
}

TEST_CASE("Shares of filtered pixels add up to the cells") {
  const TexelAxis axis = texelAxis(400, 0, 1.7, 680);
  REQUIRE(axis.kind == TexelKind::Filtered);
  std::vector<double> cells(axis.edges.size() - 1);
  for (Index k = 0; k < axis.texels; ++k) {
    const CellShare share = cellShare(axis, k);
    cells[share.cell] += share.share;
    if (share.share < 1 && share.cell + 1 < cells.size())
      cells[share.cell + 1] += 1 - share.share;
  }
  for (std::size_t k = 0; k + 1 < cells.size(); ++k)
    CHECK(cells[k] == Approx(1.7).margin(1e-9));
}

TEST_CASE("The minimap covers the mask from corner to corner") {
  const Lengths lengths{100, 400, 0};
  const gui::Rect map{10, 20, 110, 45};
  CHECK(minimapCell(map, lengths, 10, 20) == std::pair(0.0, 0.0));
  CHECK(minimapCell(map, lengths, 110, 45) == std::pair(100.0, 400.0));
  CHECK(minimapCell(map, lengths, 60, 32.5F).second == Approx(200));
}

TEST_CASE("A whole mask is cut into the given number of pixels or cells, each token in one") {
  const auto [n, pixels] = GENERATE(table<Index, Index>({{1, 1}, {10, 96}, {96, 96}, {1000, 96}}));
  const TexelAxis axis = wholeAxis(n, pixels);
  CHECK(axis.texels == std::min(n, pixels));
  REQUIRE(static_cast<Index>(axis.edges.size()) == axis.texels + 1);
  CHECK(axis.edges.front() == 0);
  CHECK(axis.edges.back() == n);
  CHECK(std::is_sorted(axis.edges.begin(), axis.edges.end()));
}

TEST_CASE("Pixels between cells of one colour have that colour") {
  const auto level = static_cast<std::uint8_t>(GENERATE(0, 1, 127, 255));
  const TexelAxis axis = texelAxis(6, 0, 1.5, 9);
  REQUIRE(axis.kind == TexelKind::Filtered);
  const int cells = static_cast<int>(axis.edges.size()) - 1;
  const gl::Pixels alike{
      cells, cells, std::vector<std::uint8_t>(static_cast<std::size_t>(4 * cells * cells), level)};
  const gl::Pixels made = filteredImage(alike, axis, axis);
  REQUIRE(made.width == axis.texels);
  CHECK(std::count(made.rgba.begin(), made.rgba.end(), level) == std::ssize(made.rgba));
}

TEST_CASE("An image is gathered into texels that hold every token once") {
  const auto [rows, columns, width, height] =
      GENERATE(table<Index, Index, Index, Index>({{6, 6, 300, 300},
                                                  {64, 64, 20, 20},
                                                  {1000, 1, 5, 30},
                                                  {1, 1000, 30, 5},
                                                  {37, 53, 10, 100},
                                                  {4096, 16, 300, 300}}));
  const ImageTexels texels = imageTexels({rows, columns}, width, height);
  const Lattice lattice = texels.lattice(3);
  CHECK(lattice.keyEdges.front() == 0);
  CHECK(lattice.keyEdges.back() == rows * columns);
  CHECK(static_cast<Index>(lattice.keyEdges.size()) == texels.stretches() * texels.columns + 1);
  CHECK(texels.columns <= width);
  CHECK(texels.rows <= height);
}

TEST_CASE("The token under a point of the image is the one drawn there") {
  const gui::Rect area{100, 50, 220, 110};
  CHECK(tokenAt(area, {3, 6}, 101, 51) == Index{0});
  CHECK(tokenAt(area, {3, 6}, 219, 109) == Index{17});
  CHECK(tokenAt(area, {3, 6}, 145, 75) == Index{8});
  CHECK_FALSE(tokenAt(area, {3, 6}, 99, 60));
}
