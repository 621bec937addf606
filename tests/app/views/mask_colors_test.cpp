// The colours of the Mask view's matrices: of cells, of pixels of many cells, of gaps; the same by
// shader and by jobs.
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "core/plot/mask_color.h"
#include "tests/app/views/mask_window.h"
#include "tests/app/views/picture_file.h"
#include "tests/catch.h"

#include <cmath>
#include <filesystem>

namespace attention::gui {
namespace {

TEST_CASE("The middle of every cell of a drawn mask has the colour of its part") {
  const ThemeKind kind = GENERATE(ThemeKind::Dark, ThemeKind::Light);
  const FigureTheme theme = kind == ThemeKind::Dark ? FigureTheme::Dark : FigureTheme::Light;
  MaskWindow window = stridedWindow(40, kind);
  const gl::Pixels pixels = window.pixels();
  const Prepared& prepared = *window.results.masks->tiles.front().prepared;
  const MaskPalette palette = maskPalette(prepared, theme);
  int wrong = 0;
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j <= i; ++j) { // the legend lies over the upper right corner
      const int part = prepared.why(i, j).part;
      const Color wanted = part < 0 ? palette.ground : palette.hues[static_cast<std::size_t>(part)];
      const ImVec2 at = middle(window, i, j);
      wrong += colorAt(pixels, at.x, at.y) == rgb(wanted) ? 0 : 1;
    }
  CHECK(wrong == 0);
}

TEST_CASE("A mask of one token and one of sixteen million draw at every zoom") {
  const Index n = GENERATE(Index{1}, Index{1} << 24);
  MaskWindow window = stridedWindow(n);
  CHECK(window.says("A¹ previous ℓ"));
  const gui::Rect area = window.matrix();
  for (int step = 0; step < 8; ++step)
    window.scroll(area.x0 + 100, area.y0 + 101, 10);
  CHECK(visibleCells(frameIn(window), window.results.lengths).cells() <= 64);
  const MaskFrame frame = frameIn(window);
  const gl::Pixels pixels = window.pixels();
  const Prepared& prepared = *window.results.masks->tiles.front().prepared;
  const Index query = static_cast<Index>(frame.queryAt(area.y0 + 300));
  const Index key = static_cast<Index>(frame.keyAt(area.x0 + 200));
  const ImVec2 at = middle(window, query, key);
  const MaskPalette palette = maskPalette(prepared, FigureTheme::Dark);
  const int part = prepared.why(query, key).part;
  const Color wanted = part < 0 ? palette.ground : palette.hues[static_cast<std::size_t>(part)];
  CHECK(colorAt(pixels, at.x, at.y) == rgb(wanted));
}

TEST_CASE("Pixels of many cells have the colour of their exact share") {
  MaskWindow window = stridedWindow(1 << 20);
  const MaskFrame frame = frameIn(window);
  const Prepared& prepared = *window.results.masks->tiles.front().prepared;
  const MaskPalette palette = maskPalette(prepared, FigureTheme::Dark);
  const auto side = static_cast<Index>(frame.area.x1 - frame.area.x0);
  const Lattice lattice = latticeOver(prepared.bounds(), side, side);
  const Coverage coverage = computeCoverage(prepared, lattice);
  const gl::Pixels pixels = window.pixels();
  int wrong = 0;
  for (Index a = 0; a < side; a += 7)
    for (Index b = 0; b <= a; b += 5) {
      std::vector<Index> counts;
      for (const auto& plane : coverage.counts)
        counts.push_back(plane[static_cast<std::size_t>(a * side + b)]);
      const auto edge = [&](const std::vector<Index>& e, Index k) {
        return e[static_cast<std::size_t>(k) + 1] - e[static_cast<std::size_t>(k)];
      };
      const Color wanted =
          pixelColor(counts, edge(lattice.rowEdges, a) * edge(lattice.keyEdges, b), palette);
      const unsigned found = colorAt(pixels, frame.area.x0 + static_cast<float>(b),
                                     frame.area.y0 + static_cast<float>(a));
      // Edges are rounded in one and cut in the other: a token more or less in a pixel of 1500.
      const auto channel = [](unsigned c, int k) { return static_cast<int>(c >> (8 * k) & 255U); };
      for (int k = 0; k < 3; ++k)
        wrong += std::abs(channel(found, k) - channel(rgb(wanted), k)) > 3 ? 1 : 0;
    }
  CHECK(wrong == 0);
}

TEST_CASE("The same mask draws the same picture and another pattern another one") {
  const PictureFolder pictures;
  MaskWindow window = stridedWindow(300);
  const gl::Pixels first = window.pixels();
  MaskWindow again = stridedWindow(300);
  CHECK(pictures.compare(first, again.pixels(), 0, 0, "same").largest == 0);
  Strided other;
  other.stride = 20;
  again.scene.pattern = other;
  again.prepare();
  again.settle();
  const PictureDifference changed = pictures.compare(first, again.pixels(), 2, 0.1, "changed");
  CHECK(std::filesystem::exists(pictures / "changed_new.png"));
  CHECK(std::filesystem::exists(pictures / "changed_difference.png"));
  CHECK(changed.largest > 60);
  CHECK(changed.mean > 1);
}

TEST_CASE("The shader and the jobs draw the same picture at every zoom") {
  const PictureFolder pictures;
  MaskWindow jobs(600, 640);
  MaskWindow shader(600, 640, ThemeKind::Dark, true);
  for (MaskWindow* window : {&jobs, &shader}) {
    window->scene.length.n = 1 << 20;
    window->prepare();
  }
  for (const auto& camera : {std::optional<Camera>(), std::optional(Camera{9e5, 8.9e5, 40000}),
                             std::optional(Camera{1e6, 1e6, 30})}) {
    jobs.scene.camera = shader.scene.camera = camera;
    jobs.settle();
    shader.settle();
    // Floats and doubles round some channels differently.
    CHECK(pictures.compare(jobs.pixels(), shader.pixels(), 2, 0.1, "shader").largest <= 2);
  }
  CHECK(shader.rasters.computed < jobs.rasters.computed);
}

TEST_CASE("Pins beyond the length dim nothing") {
  MaskWindow window = stridedWindow(3);
  const gl::Pixels before = window.pixels();
  window.scene.pins = {97, 61};
  window.settle();
  const ImVec2 at = middle(window, 2, 0);
  CHECK(colorAt(window.pixels(), at.x, at.y) == colorAt(before, at.x, at.y));
}

TEST_CASE("A single cell fills its matrix to all four edges") {
  MaskWindow window = stridedWindow(1);
  window.scene.pattern = Full{};
  window.prepare();
  window.settle();
  const gl::Pixels pixels = window.pixels();
  const Rect area = window.matrix();
  const unsigned hue = rgb(figureColors(FigureTheme::Dark).series[0]);
  for (const float x : {area.x0 + 1, area.centerX(), area.x1 - 2})
    for (const float y : {area.y0 + 1, area.centerY(), area.y1 - 2})
      if (x < area.centerX() || y > area.y0 + 1) // the legend's corner
        CHECK(colorAt(pixels, x, y) == hue);
}

TEST_CASE("Gaps hide the first pixels of cells wherever these begin") {
  // Around the border of two cells of the same part there are only gap and hue, never another line.
  MaskWindow window(800, 800);
  window.scene.length.n = GENERATE(100, 112, 120, 128, 144, 160);
  window.scene.pattern = Full{};
  window.prepare();
  window.settle();
  const gl::Pixels pixels = window.pixels();
  const MaskFrame frame = frameIn(window);
  const float x = frame.x(2.5);
  int thin = 0; // one pixel of hue between two gaps
  const unsigned hue = rgb(figureColors(FigureTheme::Dark).series[0]);
  for (float y = frame.area.y0 + 2; y < frame.area.y1 - 2; ++y)
    thin += colorAt(pixels, x, y) == hue && colorAt(pixels, x, y - 1) != hue &&
                    colorAt(pixels, x, y + 1) != hue
                ? 1
                : 0;
  CHECK(thin == 0);
}

} // namespace
} // namespace attention::gui
