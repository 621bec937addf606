// The Mask view in a window: the colours of its cells, what it says, and what pointer and keyboard
// do to the Scene.
#include "app/gui/views/mask_camera.h"
#include "core/figure/mask_color.h"
#include "tests/app/views/mask_window.h"
#include "tests/app/views/picture_file.h"
#include "tests/catch.h"

#include <cmath>
#include <filesystem>

using namespace attention;
using namespace attention::gui;

namespace {

MaskFrame frameIn(const MaskWindow& window) {
  return frameOf(window.results.lengths, window.scene.camera, window.matrix());
}

// The middle of a cell, in points.
ImVec2 middle(const MaskWindow& window, Index query, Index key) {
  const MaskFrame frame = frameIn(window);
  return ImVec2(frame.x(static_cast<double>(key) + 0.5), frame.y(static_cast<double>(query) + 0.5));
}

unsigned rgb(const Color& c) {
  return static_cast<unsigned>(c.r) << 16 | static_cast<unsigned>(c.g) << 8 | c.b;
}

void clickCell(MaskWindow& window, Index query, Index key, bool shift = false) {
  const ImVec2 at = middle(window, query, key);
  window.click(at.x, at.y, shift);
}

MaskWindow stridedWindow(Index n, ThemeKind kind = ThemeKind::Dark) {
  MaskWindow window(760, 800, kind);
  window.scene.length.n = n;
  window.prepare();
  window.settle();
  return window;
}

} // namespace

TEST_CASE("Every cell of a drawn mask has its part colour in its middle") {
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
  CHECK(window.says("A¹ previous l"));
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
      // Edges are rounded here and cut there: a token more or less in a pixel of 1500.
      const auto channel = [](unsigned c, int k) { return static_cast<int>(c >> (8 * k) & 255U); };
      for (int k = 0; k < 3; ++k)
        wrong += std::abs(channel(found, k) - channel(rgb(wanted), k)) > 3 ? 1 : 0;
    }
  CHECK(wrong == 0);
}

TEST_CASE("The picture of a mask is the same again and another for another pattern") {
  MaskWindow window = stridedWindow(300);
  const gl::Pixels first = window.pixels();
  MaskWindow again = stridedWindow(300);
  CHECK(comparePictures(first, again.pixels(), 0, 0, "same").largest == 0);
  Strided other;
  other.stride = 20;
  again.scene.pattern = other;
  again.prepare();
  again.settle();
  const PictureDifference changed = comparePictures(first, again.pixels(), 2, 0.1, "changed");
  CHECK(std::filesystem::exists("pictures/changed_new.png"));
  CHECK(std::filesystem::exists("pictures/changed_difference.png"));
  CHECK(changed.largest > 60);
  CHECK(changed.mean > 1);
}

TEST_CASE("The wheel zooms about the pointer") {
  MaskWindow window = stridedWindow(1000);
  const gui::Rect area = window.matrix();
  const float x = area.x0 + 220;
  const float y = area.y0 + 330;
  const double key = frameIn(window).keyAt(x);
  window.scroll(x, y, 3);
  REQUIRE(window.scene.camera);
  CHECK(frameIn(window).keyAt(x) == Approx(key).margin(2));
  CHECK(frameIn(window).scale > 1.5 * fitScale(window.results.lengths, area));
  window.scroll(x, y, -5);
  CHECK_FALSE(window.scene.camera);
}

TEST_CASE("A drag pans and makes no step of undo") {
  MaskWindow window = stridedWindow(1000);
  window.scene.camera = Camera{500, 500, 100};
  window.settle();
  const gui::Rect area = window.matrix();
  const double before = frameIn(window).key0;
  window.events().push(MouseMoveEvent{area.x0 + 200, area.y0 + 200});
  window.settle();
  window.events().push(MouseButtonEvent{0, true});
  window.settle();
  for (const float x : {215.0F, 230.0F, 260.0F}) {
    window.events().push(MouseMoveEvent{area.x0 + x, area.y0 + 200});
    window.frame();
  }
  window.events().push(MouseButtonEvent{0, false});
  window.settle();
  const MaskFrame frame = frameIn(window);
  CHECK(frame.key0 < before);
  CHECK(frame.key0 == Approx(before - 60 / frame.scale).margin(8 / frame.scale));
  CHECK_FALSE(window.scene.pins.query);
}

TEST_CASE("A click pins a query and Shift and a click a key and a second click frees them") {
  MaskWindow window = stridedWindow(128);
  clickCell(window, 97, 64);
  CHECK(window.scene.pins == Pins{97, std::nullopt});
  clickCell(window, 30, 64, true);
  CHECK(window.scene.pins == Pins{97, 64});
  CHECK(window.says("query 97 attends to 19 keys"));
  CHECK(window.says("key 64 is seen by"));
  clickCell(window, 97, 3);
  CHECK(window.scene.pins == Pins{std::nullopt, 64});
  clickCell(window, 5, 64, true);
  CHECK(window.scene.pins == Pins{});
}

TEST_CASE("The pointer tells the cell that it is on and that it left") {
  MaskWindow window = stridedWindow(128);
  const ImVec2 at = middle(window, 12, 7);
  window.events().push(MouseMoveEvent{at.x, at.y});
  window.settle();
  CHECK(window.hover == Hover{12, 7});
  window.events().push(MouseMoveEvent{1, 1});
  window.settle();
  CHECK(window.hover == Hover{});
}

TEST_CASE("Arrows move the pins and the camera follows them") {
  MaskWindow window = stridedWindow(1000);
  clickCell(window, 500, 400);
  window.press({Key::Down});
  CHECK(window.scene.pins.query == Index{501});
  window.press({Key::Up, false, true});
  CHECK(window.scene.pins.query == Index{491});
  window.press({Key::Right});
  REQUIRE(window.scene.pins.key);
  const Index key = *window.scene.pins.key;
  window.press({Key::Left});
  CHECK(window.scene.pins.key == key - 1);
  window.scene.camera = Camera{495, 500, 8};
  window.settle();
  for (int k = 0; k < 2; ++k)
    window.press({Key::Down, false, true});
  CHECK(window.scene.pins.query == Index{511});
  const CellRect seen = visibleCells(frameIn(window), window.results.lengths);
  CHECK(seen.rowBegin <= 511);
  CHECK(seen.rowEnd > 511);
}

TEST_CASE("Plus and minus zoom about the middle") {
  MaskWindow window = stridedWindow(1000);
  clickCell(window, 500, 400);
  window.press({Key::Equal});
  REQUIRE(window.scene.camera);
  CHECK(window.scene.camera->key == Approx(500));
  window.press({Key::Minus});
  CHECK_FALSE(window.scene.camera);
}

TEST_CASE("A click in the minimap moves there") {
  MaskWindow window = stridedWindow(10000);
  CHECK(window.log().find("Minimap") == nullptr);
  window.scene.camera = Camera{5000, 5000, 500};
  window.settle();
  REQUIRE(window.log().find("Minimap") != nullptr);
  const gui::Rect map = window.log().find("Minimap")->rect;
  window.click(map.x0 + (map.x1 - map.x0) * 0.25F, map.y0 + (map.y1 - map.y0) * 0.75F);
  REQUIRE(window.scene.camera);
  CHECK(window.scene.camera->key == Approx(2500).margin(100));
  CHECK(window.scene.camera->query == Approx(7500).margin(100));
  CHECK_FALSE(window.scene.pins.query);
}

TEST_CASE("An old picture stays and is said to be updating") {
  MaskWindow window = stridedWindow(500);
  CHECK_FALSE(window.says("updating"));
  window.rasters.late = true;
  window.scene.pattern = Causal{};
  window.prepare();
  for (int k = 0; k < 30; ++k)
    window.frame();
  CHECK(window.says("updating… 40 %"));
  window.rasters.late = false;
  window.settle();
  window.settle();
  CHECK_FALSE(window.says("updating"));
}

TEST_CASE("Panels lie side by side under one camera") {
  MaskWindow window(1000, 620);
  window.scene.length.n = 36;
  window.scene.mask.panels = {
      {"(a) full", Full{}}, {"(b) strided", Strided{}}, {"(c) fixed", Fixed{}}};
  window.prepare();
  window.settle();
  CHECK(window.says("(b) strided"));
  const gui::Rect first = window.matrix("Mask 1");
  const gui::Rect third = window.matrix("Mask 3");
  CHECK(first.y0 == third.y0);
  CHECK(third.x0 > first.x1);
  window.scroll(third.x0 + 20, third.y0 + 20, 4);
  REQUIRE(window.scene.camera);
  CHECK(window.log().find("Mask 1")->value == window.log().find("Mask 3")->value);
}

TEST_CASE("A token of the image is pinned by a click and its keys are lit") {
  MaskWindow window(1000, 700);
  window.scene.length.n = 36;
  Strided strided;
  strided.stride = 6;
  window.scene.pattern = strided;
  window.scene.mask.image.shown = true;
  window.prepare();
  window.settle();
  REQUIRE(window.log().find("Image") != nullptr);
  const gui::Rect image = window.log().find("Image")->rect;
  const float cell = (image.x1 - image.x0) / 6;
  const auto at = [&](Index token) {
    return ImVec2(image.x0 + cell * (static_cast<float>(token % 6) + 0.5F),
                  image.y0 + cell * (static_cast<float>(token / 6) + 0.5F));
  };
  window.click(at(27).x, at(27).y);
  CHECK(window.scene.pins.query == Index{27});
  const gl::Pixels pixels = window.pixels();
  const FigureColors& colors = figureColors(FigureTheme::Dark);
  CHECK(colorAt(pixels, at(27).x, at(27).y) == rgb(colors.query));
  CHECK(colorAt(pixels, at(22).x, at(22).y) == rgb(colors.series[0]));
  CHECK(colorAt(pixels, at(15).x, at(15).y) == rgb(colors.series[1]));
  CHECK(colorAt(pixels, at(30).x, at(30).y) == rgb(colors.empty));
}

TEST_CASE("A frame without changes computes no raster") {
  MaskWindow window = stridedWindow(1 << 20);
  window.settle();
  const int before = window.rasters.computed;
  for (int k = 0; k < 5; ++k)
    window.frame();
  CHECK(window.rasters.computed == before);
}

TEST_CASE("Pictures of the view at the sizes of the mock-ups are left for whoever looks") {
  for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light})
    for (const auto& [width, height] : {std::pair(780, 826), std::pair(420, 560)}) {
      const std::string name = std::string(kind == ThemeKind::Dark ? "dark" : "light") + "_" +
                               std::to_string(width) + "x" + std::to_string(height);
      MaskWindow window(width, height, kind);
      Strided strided;
      strided.stride = 11;
      window.scene.pattern = strided;
      window.prepare();
      window.scene.pins = {97, 64};
      window.settle();
      savePicture(window.pixels(), "mask_" + name);
      window.scene.length.n = 1 << 20;
      window.scene.pattern = Strided{};
      window.prepare();
      window.scene.pins = {700000, std::nullopt};
      window.scene.camera = Camera{700000, 690000, 30000};
      window.settle();
      savePicture(window.pixels(), "large_" + name);
      window.scene.camera = std::nullopt;
      window.scene.length.n = 256;
      window.scene.mask.image.shown = true;
      window.prepare();
      window.scene.pins = {150, 144};
      window.settle();
      savePicture(window.pixels(), "image_" + name);
      CHECK(window.says("query 150"));
    }
}

TEST_CASE("Words of an input stand beside large cells and numbers beside small ones") {
  MaskWindow window(780, 826);
  auto input = std::make_shared<Input>();
  input->queries = input->keys = 40;
  for (int k = 0; k < 40; ++k)
    input->tokens.push_back(k % 7 == 3 ? "rabbit-hole" : "word" + std::to_string(k));
  window.results.input.value = input;
  window.results.inputCovers = true;
  window.prepare();
  window.events().push(MouseMoveEvent{400, 400});
  window.settle();
  window.settle();
  savePicture(window.pixels(), "words");
  const gl::Pixels words = window.pixels();
  window.results.inputCovers = false;
  window.settle();
  CHECK(comparePictures(words, window.pixels(), 255, 255, "numbers").mean > 0.1);
}

TEST_CASE("Attention weights are drawn on a ramp that is named") {
  MaskWindow window = stridedWindow(64);
  auto attention = std::make_shared<HeadAttention>();
  attention->prepared = window.results.masks->tiles.front().prepared;
  window.results.attention.value = attention;
  window.results.inputCovers = true;
  window.scene.mask.weights = WeightsShown::Maximum;
  window.settle();
  CHECK(window.says("attention weight p"));
  CHECK_FALSE(window.says("A¹ previous l"));
  const gl::Pixels pixels = window.pixels();
  const ImVec2 own = middle(window, 30, 30);
  const ImVec2 far = middle(window, 30, 6);
  const ImVec2 none = middle(window, 30, 5);
  CHECK(colorAt(pixels, own.x, own.y) == rgb(figureColors(FigureTheme::Dark).weight));
  CHECK(colorAt(pixels, far.x, far.y) != rgb(figureColors(FigureTheme::Dark).ground));
  CHECK(colorAt(pixels, none.x, none.y) == rgb(figureColors(FigureTheme::Dark).ground));
  savePicture(pixels, "weights");
}

TEST_CASE("Weights of many cells in a pixel are named by how they are gathered") {
  MaskWindow window = stridedWindow(5000);
  auto attention = std::make_shared<HeadAttention>();
  attention->prepared = window.results.masks->tiles.front().prepared;
  window.results.attention.value = attention;
  window.results.inputCovers = true;
  window.scene.mask.weights = WeightsShown::Sum;
  window.settle();
  CHECK(window.says("sum of p in a pixel"));
  window.scene.mask.weights = WeightsShown::Maximum;
  window.settle();
  CHECK(window.says("largest p in a pixel"));
}

TEST_CASE("Sampled pictures say so") {
  MaskWindow window(760, 800);
  window.scene.length.n = 100;
  window.scene.length.queries = 20000;
  window.prepare();
  window.settle();
  CHECK_FALSE(window.says("sampled"));
  window.scene.pattern = patternNamed("expr");
  set(window.scene.pattern, "expr", Value{std::string("j <= i and (i * j) % 7 == 0")});
  window.prepare();
  window.settle();
  CHECK(window.says("sampled"));
}

TEST_CASE("Rectangular masks and small multiples are left for whoever looks") {
  MaskWindow window(780, 600);
  window.scene.length = {300, 40, Align::BottomRight};
  window.scene.pattern = Causal{};
  window.prepare();
  window.settle();
  savePicture(window.pixels(), "rectangular");
  const gui::Rect area = window.matrix();
  CHECK(area.x1 - area.x0 > 2 * (area.y1 - area.y0));
  window.scene.length = {};
  for (int h = 0; h < 4; ++h) {
    Strided strided;
    strided.stride = 5 + 3 * h;
    window.scene.mask.panels.push_back({"head " + std::to_string(h), strided});
  }
  window.prepare();
  window.scene.pins.query = 90;
  window.settle();
  savePicture(window.pixels(), "heads");
  CHECK(window.says("query 90 attends to"));
}

TEST_CASE("The shader and the jobs draw the same picture at every zoom") {
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
    CHECK(comparePictures(jobs.pixels(), shader.pixels(), 2, 0.1, "shader").largest <= 2);
  }
  CHECK(shader.rasters.computed < jobs.rasters.computed);
}

TEST_CASE("Type twice as large keeps everything in its place") {
  MaskWindow window(1200, 1200, ThemeKind::Light, false, 2);
  window.scene.pins = {97, 64};
  window.prepare();
  window.settle();
  savePicture(window.pixels(), "double_size");
  const gui::Rect area = window.matrix();
  CHECK(area.x1 - area.x0 > 800);
  CHECK(area.y1 < 1080);
}

TEST_CASE("Gaps hide the first pixels of cells wherever these begin") {
  // Around the border of two cells of the same part only gap and hue are seen, never a line more.
  MaskWindow window(800, 800);
  window.scene.length.n = GENERATE(100, 112, 120, 128, 144, 160);
  window.scene.pattern = Full{};
  window.prepare();
  window.settle();
  const gl::Pixels pixels = window.pixels();
  const MaskFrame frame = frameIn(window);
  const float x = frame.x(2.5);
  int thin = 0; // hue for one pixel between two gaps
  const unsigned hue = rgb(figureColors(FigureTheme::Dark).series[0]);
  for (float y = frame.area.y0 + 2; y < frame.area.y1 - 2; ++y)
    thin += colorAt(pixels, x, y) == hue && colorAt(pixels, x, y - 1) != hue &&
                    colorAt(pixels, x, y + 1) != hue
                ? 1
                : 0;
  CHECK(thin == 0);
}
