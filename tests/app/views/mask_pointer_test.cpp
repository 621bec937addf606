// What pointer and keyboard over the Mask view do to the Scene.
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/views/mask_window.h"
#include "tests/catch.h"

namespace attention::gui {
namespace {

TEST_CASE("The wheel zooms around the pointer") {
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

TEST_CASE("A drag pans and is not an undo step") {
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

TEST_CASE("The pointer reports the cell that it is on and that it left") {
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

TEST_CASE("Plus and minus zoom around the middle") {
  MaskWindow window = stridedWindow(1000);
  clickCell(window, 500, 400);
  window.press({Key::Equal});
  REQUIRE(window.scene.camera);
  CHECK(window.scene.camera->key == Approx(500));
  window.press({Key::Minus});
  CHECK_FALSE(window.scene.camera);
}

TEST_CASE("A click in the minimap moves the camera there") {
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

TEST_CASE("A click pins a token of the image and lights its keys") {
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

TEST_CASE("The frame of an image pixel lies close around it and its gaps lie at its edges") {
  for (const int height : {500, 503, 506, 509, 512}) {
    MaskWindow window(1000, height, ThemeKind::Light);
    window.scene.length.n = 36;
    window.scene.pattern = Full{};
    window.scene.mask.image.shown = true;
    window.scene.pins.query = 21;
    window.prepare();
    window.settle();
    const gui::Rect image = window.log().find("Image")->rect;
    const float cell = (image.x1 - image.x0) / 6;
    INFO("pixels of " << cell << " points");
    const gl::Pixels pixels = window.pixels();
    // Along one row or column: only the query's pixel and its frame, then all pixels with
    // background gaps of one point.
    const unsigned ground = rgb(figureColors(FigureTheme::Light).ground);
    const auto groundIn = [&](float from, float to, float other, bool across) {
      int found = 0;
      for (float k = from; k < to; ++k)
        found += colorAt(pixels, across ? k : other, across ? other : k) == ground ? 1 : 0;
      return found;
    };
    const float x = image.x0 + 3.5F * cell;
    const float y = image.y0 + 3.5F * cell;
    CHECK(groundIn(x - cell / 2 - 1, x + cell / 2, y, true) == 0);
    CHECK(groundIn(y - cell / 2 - 1, y + cell / 2, x, false) == 0);
    for (int k = 1; k < 6; ++k) { // no sliver of another pixel beside a gap
      const float edge = std::ceil(image.x0 + static_cast<float>(k) * cell - 0.51F);
      CHECK(colorAt(pixels, edge, image.y0 + cell / 2) == ground);
    }
  }
}

} // namespace
} // namespace attention::gui
