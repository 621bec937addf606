#include "core/export/embedded_scene.h"
#include "core/input/mask_file.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern.h"
#include "core/support/error.h"
#include "core/views/mask/export_mask.h"
#include "tests/catch.h"
#include "tests/core/figure/files.h"
#include "tests/core/figure/png_pixels.h"
#include "tests/file_size_limit.h"

using namespace attention;

namespace {

std::shared_ptr<const Prepared> strided(Index n, Index stride) {
  Strided pattern;
  pattern.stride = stride;
  return prepare(pattern, squareLengths(n));
}

Scene someScene() {
  Scene scene;
  scene.title = "Angle <brackets> & \"quotes\" ¹ 漢";
  scene.pattern = Strided{};
  scene.length.n = 36;
  return scene;
}

ErrorCode errorCodeOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("nothing was thrown");
  return ErrorCode::N;
}

} // namespace

TEST_CASE("each pixel of a PNG has the hue of its cell") {
  const TestFolder folder;
  const Index cell = GENERATE(1, 3);
  const auto pattern = strided(20, 5);
  MaskExportOptions options;
  options.cell = cell;
  exportMask(pattern, folder / "mask.png", options);
  const Image image = pixelsOf(textOf(folder / "mask.png"));
  REQUIRE(image.width == 20 * cell);
  REQUIRE(image.height == 20 * cell);
  const auto& colors = figureColors(FigureTheme::Light);
  for (Index y = 0; y < 20 * cell; ++y)
    for (Index x = 0; x < 20 * cell; ++x) {
      const Index i = y / cell;
      const Index j = x / cell;
      const Color expected = pattern->contains(0, i, j)   ? colors.series[0]
                             : pattern->contains(1, i, j) ? colors.series[1]
                                                          : colors.ground;
      CHECK(image.pixels[static_cast<std::size_t>(y * 20 * cell + x)] == expected);
    }
}

TEST_CASE("a PNG smaller than the mask has the colour of the exact coverage") {
  const TestFolder folder;
  const auto pattern = strided(100, 7);
  MaskExportOptions options;
  options.size = PixelSize{30, 40};
  exportMask(pattern, folder / "mask.png", options);
  const Image image = pixelsOf(textOf(folder / "mask.png"));
  REQUIRE(image.width == 30);
  REQUIRE(image.height == 40);
  const MaskPalette palette = maskPalette(*pattern, FigureTheme::Light);
  for (Index y = 0; y < 40; ++y)
    for (Index x = 0; x < 30; ++x) {
      std::vector<Index> counts(2);
      const Rect cells{100 * y / 40, 100 * (y + 1) / 40, 100 * x / 30, 100 * (x + 1) / 30};
      for (Index i = cells.rowBegin; i < cells.rowEnd; ++i)
        for (Index j = cells.keyBegin; j < cells.keyEnd; ++j)
          if (pattern->contains(i, j))
            ++counts[pattern->contains(0, i, j) ? 0 : 1];
      CHECK(image.pixels[static_cast<std::size_t>(y * 30 + x)] ==
            pixelColor(counts, cells.cells(), palette));
    }
}

TEST_CASE("a PNG larger than the mask shows the nearest cell at any size") {
  const TestFolder folder;
  const auto pattern = strided(3, 2);
  MaskExportOptions options;
  options.size = PixelSize{7, 8};
  exportMask(pattern, folder / "mask.png", options);
  const Image image = pixelsOf(textOf(folder / "mask.png"));
  const Color ground = figureColors(FigureTheme::Light).ground;
  for (Index y = 0; y < 8; ++y)
    for (Index x = 0; x < 7; ++x) {
      const Index i = (2 * y + 1) * 3 / 16;
      const Index j = (2 * x + 1) * 3 / 14;
      const bool lit = !(image.pixels[static_cast<std::size_t>(y * 7 + x)] == ground);
      CHECK(lit == pattern->contains(i, j));
    }
}

TEST_CASE("lists and arrays hold exactly the cells of the mask") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".csv", ".mtx");
  const auto pattern = prepare(Fixed{}, alignedLengths(5, 9, Align::BottomRight));
  exportMask(pattern, folder / ("mask" + ending));
  const MaskFile mask = readMask(folder / ("mask" + ending));
  CHECK(mask.pairs() == pattern->pairs());
  for (Index i = 0; i < 5; ++i)
    for (const auto& run : mask.row(i))
      for (Index j = run.begin; j < run.end; ++j)
        CHECK(pattern->contains(i, j));
}

TEST_CASE("matrix market is one-based and comma separated pairs are zero-based") {
  const TestFolder folder;
  const auto pattern = prepare(Causal{}, squareLengths(2));
  exportMask(pattern, folder / "mask.mtx");
  CHECK(textOf(folder / "mask.mtx") ==
        "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 1\n2 2\n");
  exportMask(pattern, folder / "mask.csv");
  CHECK(textOf(folder / "mask.csv") == "i,j\n0,0\n1,0\n1,1\n");
}

TEST_CASE("masks over the limits are refused before anything is written") {
  const TestFolder folder;
  const auto large = prepare(Full{}, squareLengths(Index{1} << 17));
  const std::string ending = GENERATE(".npy", ".csv", ".mtx");
  CHECK(errorCodeOf([&] { exportMask(large, folder / ("mask" + ending)); }) == ErrorCode::Range);
  CHECK(folder.entries() == 0);
}

TEST_CASE("an unknown ending names the allowed ones") {
  const TestFolder folder;
  try {
    exportMask(strided(4, 2), folder / "mask.gif");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::Unsupported);
    CHECK(std::string(error.what()).find(".mtx") != std::string::npos);
  }
  CHECK(errorCodeOf([&] { exportMask(strided(4, 2), folder / "mask"); }) == ErrorCode::Unsupported);
}

TEST_CASE("a picture with no pixels or too many is refused") {
  const TestFolder folder;
  MaskExportOptions options;
  options.size = GENERATE(PixelSize{0, 5}, PixelSize{5, 100000});
  CHECK(errorCodeOf([&] { exportMask(strided(4, 2), folder / "mask.png", options); }) ==
        ErrorCode::Range);
  CHECK(folder.entries() == 0);
}

TEST_CASE("a missing folder is one error and leaves nothing behind") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".csv", ".mtx", ".tex", ".png", ".svg", ".pdf");
  CHECK(errorCodeOf([&] { exportMask(strided(4, 2), folder / ("no/mask" + ending)); }) ==
        ErrorCode::Io);
  CHECK(folder.entries() == 0);
}

TEST_CASE("a full disk is one error and leaves the old file unchanged") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".csv", ".mtx", ".tex", ".png", ".svg", ".pdf");
  const auto path = folder / ("mask" + ending);
  std::ofstream(path) << "old";
  ErrorCode code = ErrorCode::N;
  {
    const FileSizeLimit limit(1000);
    code = errorCodeOf([&] { exportMask(strided(300, 8), path); });
  }
  CHECK(code == ErrorCode::Io);
  CHECK(textOf(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a stopped export leaves the old file unchanged") {
  const TestFolder folder;
  const std::string ending = GENERATE(".npy", ".csv", ".png");
  const auto path = folder / ("mask" + ending);
  std::ofstream(path) << "old";
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(exportMask(strided(64, 8), path, {}, {stop.get_token(), {}}), Stopped);
  CHECK(textOf(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("the scene comes back from every picture") {
  const TestFolder folder;
  const std::string ending = GENERATE(".png", ".svg", ".pdf");
  MaskExportOptions options;
  options.scene = someScene();
  options.axes = GENERATE(false, true);
  exportMask(strided(36, 6), folder / ("mask" + ending), options);
  const auto scene = sceneInFile(folder / ("mask" + ending));
  REQUIRE(scene.has_value());
  CHECK(scene->scene == someScene());
}

TEST_CASE("pictures without a scene give no scene") {
  const TestFolder folder;
  const std::string ending = GENERATE(".png", ".svg", ".pdf");
  exportMask(strided(36, 6), folder / ("mask" + ending));
  CHECK(!sceneInFile(folder / ("mask" + ending)).has_value());
}

TEST_CASE("cut and broken pictures give no scene and no crash") {
  const TestFolder folder;
  const std::string ending = GENERATE(".png", ".svg", ".pdf");
  MaskExportOptions options;
  options.scene = someScene();
  exportMask(strided(36, 6), folder / ("mask" + ending), options);
  const std::string whole = textOf(folder / ("mask" + ending));
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 500) {
    try {
      sceneInBytes(std::string_view(whole).substr(0, length), "cut");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::Type);
    }
  }
}
