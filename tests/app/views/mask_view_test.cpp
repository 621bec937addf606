// What the Mask view shows and says beside the colours of its cells.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/fixed.h"
#include "core/pattern/mechanism/full.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/views/mask_window.h"
#include "tests/app/views/picture_file.h"
#include "tests/catch.h"

#include "core/views/mask/mask_figure.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

TEST_CASE("An old picture stays and is marked as updating") {
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

TEST_CASE("Every panel with room has its first and last number and a whole frame around its pin") {
  const float scale = GENERATE(1.0F, 1.6F);
  MaskWindow window(1400, static_cast<int>(320 * scale), ThemeKind::Light, false, scale);
  window.scene.length.n = 36;
  window.scene.mask.panels = {{"(a) one after the other in turn", Full{}},
                              {"(b)", patternNamed("strided")},
                              {"(c)", patternNamed("fixed")}};
  window.scene.pins.query = 20;
  window.prepare();
  window.settle();
  const gl::Pixels pixels = window.pixels();
  for (const char* label : {"Mask 1", "Mask 2", "Mask 3"}) {
    const gui::Rect m = window.matrix(label);
    INFO(label << " from " << m.x0 << " to " << m.x1);
    CHECK(m.x0 == std::floor(m.x0));
    for (const float x : {m.x0, m.x1})
      CHECK(marked(window, {x - 4, m.y0 - 18 * scale, x + 4, m.y0 - 2}) > 4);
    const float y = m.y0 + (m.y1 - m.y0) * 20.5F / 36;
    const float elsewhere = m.y0 + (m.y1 - m.y0) * 5.5F / 36;
    CHECK(colorAt(pixels, m.x1, y) != colorAt(pixels, m.x1, elsewhere));
  }
}

TEST_CASE("The last number over the last of several masks keeps away from the edge") {
  MaskWindow window(600, 560, ThemeKind::Light, false, 1.5F);
  window.scene.length.n = 144;
  window.scene.mask.panels = {{"(a)", Full{}}, {"(b)", Causal{}}};
  window.prepare();
  window.settle();
  CHECK(window.matrix("Mask 2").x1 > 540);
  CHECK(marked(window, {584, 0, 600, 200}) == 0);
}

TEST_CASE("The image of tokens stands where it leaves more room for the matrix") {
  struct Case {
    int width, height;
    bool beside;
    float matrix; // at least
  };
  const Case c =
      GENERATE(Case{780, 825, true, 500}, Case{700, 1000, false, 590}, Case{1100, 700, true, 550});
  MaskWindow window(c.width, c.height);
  window.scene.length.n = 144;
  window.scene.mask.image.shown = true;
  window.prepare();
  window.settle();
  const gui::Rect matrix = window.matrix();
  const gui::Rect image = window.log().find("Image")->rect;
  INFO(c.width << " by " << c.height);
  CHECK(matrix.x1 - matrix.x0 >= c.matrix);
  CHECK(image.x1 - image.x0 >= 90);
  CHECK((image.x0 > matrix.x1) == c.beside);
  CHECK((image.y0 > matrix.y1) == !c.beside);
}

TEST_CASE("Rows and columns in their own order are named at each matrix") {
  MaskWindow window(1000, 620);
  window.scene.length.n = 4;
  const bool own = GENERATE(true, false);
  const std::vector<std::string> queries =
      own ? std::vector<std::string>{"q2", "q1", "q4", "q3"} : std::vector<std::string>{};
  const std::vector<std::string> keys =
      own ? std::vector<std::string>{"k1", "k3", "k2", "k4"} : std::vector<std::string>{};
  window.scene.mask.panels = {{"(a)", Full{}}, {"(b)", Causal{}, {}, queries, keys}};
  window.prepare();
  window.settle();
  const gui::Rect second = window.matrix("Mask 2");
  const int left = marked(window, {second.x0 - 11, second.y0, second.x0 - 2, second.y1});
  CHECK((left > 4 * 8) == own); // eight of each name
  CHECK((second.x0 - window.matrix("Mask 1").x1 > 30) == own);
}

TEST_CASE("A frame without changes computes no raster") {
  MaskWindow window = stridedWindow(1 << 20);
  window.settle();
  const int before = window.rasters.computed;
  for (int k = 0; k < 5; ++k)
    window.frame();
  CHECK(window.rasters.computed == before);
}

TEST_CASE("Pictures of the view at the sizes of the mock-ups are written for review") {
  const PictureFolder pictures;
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
      pictures.save(window.pixels(), "mask_" + name);
      window.scene.length.n = 1 << 20;
      window.scene.pattern = Strided{};
      window.prepare();
      window.scene.pins = {700000, std::nullopt};
      window.scene.camera = Camera{700000, 690000, 30000};
      window.settle();
      pictures.save(window.pixels(), "large_" + name);
      window.scene.camera = std::nullopt;
      window.scene.length.n = 256;
      window.scene.mask.image.shown = true;
      window.prepare();
      window.scene.pins = {150, 144};
      window.settle();
      pictures.save(window.pixels(), "image_" + name);
      CHECK(window.says("query 150"));
    }
}

TEST_CASE("Equal counts are given once and different ones in order") {
  MaskWindow window(1000, 620);
  window.scene.length.n = 36;
  window.scene.mask.panels = {{"a", Causal{}}, {"b", Causal{}}};
  window.scene.pins = {9, 30};
  window.prepare();
  window.settle();
  CHECK(window.says("query 9 attends to 10 keys in each · key 30 is seen by 6 queries in each"));
  window.scene.mask.panels.push_back({"c", Full{}});
  window.prepare();
  window.settle();
  CHECK(window.says("query 9 attends to 10, 10 and 36 keys"));
}

TEST_CASE("A pin beyond the length gives way to the pointer") {
  MaskWindow window = stridedWindow(3);
  window.scene.pins = {97, 61};
  const ImVec2 at = middle(window, 2, 0);
  window.events().push(MouseMoveEvent{at.x, at.y});
  window.settle();
  window.settle();
  CHECK(window.says("query 2 attends to"));
  CHECK_FALSE(window.says("key 61"));
}

TEST_CASE("A narrow view counts in fewer words") {
  MaskWindow window(330, 500);
  window.scene.pins = {97, 61};
  window.prepare();
  window.settle();
  CHECK(window.says("query 97: "));
  CHECK_FALSE(window.says("attends to"));
}

// The input's weights on the first mask.
void showWeights(MaskWindow& window, WeightsShown shown) {
  auto attention = std::make_shared<HeadAttention>();
  attention->prepared = window.results.masks->tiles.front().prepared;
  window.results.attention.value = attention;
  window.results.inputCovers = true;
  window.scene.mask.weights = shown;
}

TEST_CASE("Attention weights are drawn in a named colour ramp") {
  const PictureFolder pictures;
  MaskWindow window = stridedWindow(64);
  showWeights(window, WeightsShown::Maximum);
  window.settle();
  CHECK(window.says("attention weight p"));
  const gl::Pixels pixels = window.pixels();
  const ImVec2 own = middle(window, 30, 30);
  const ImVec2 far = middle(window, 30, 6);
  const ImVec2 none = middle(window, 30, 5);
  CHECK(colorAt(pixels, own.x, own.y) == rgb(figureColors(FigureTheme::Dark).weight));
  CHECK(colorAt(pixels, far.x, far.y) != rgb(figureColors(FigureTheme::Dark).ground));
  CHECK(colorAt(pixels, none.x, none.y) == rgb(figureColors(FigureTheme::Dark).ground));
  pictures.save(pixels, "weights");
}

TEST_CASE("The label of weights says how a pixel combines those of many cells") {
  MaskWindow window = stridedWindow(5000);
  showWeights(window, WeightsShown::Sum);
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

TEST_CASE("Rectangular masks and small multiples are written for review") {
  const PictureFolder pictures;
  MaskWindow window(780, 600);
  window.scene.length = {300, 40, Align::BottomRight};
  window.scene.pattern = Causal{};
  window.prepare();
  window.settle();
  pictures.save(window.pixels(), "rectangular");
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
  pictures.save(window.pixels(), "heads");
  CHECK(window.says("query 90 attends to"));
}

// The place of these words.
gui::Rect placeOf(const MaskWindow& window, std::string_view words) {
  for (const Widget& widget : window.log().widgets())
    if (widget.kind == WidgetKind::Text && widget.label == words && widget.visible)
      return widget.rect;
  FAIL("nothing says " << words);
  return {};
}

TEST_CASE("A legend stands in a corner without cells, or else below the matrix") {
  MaskWindow window = stridedWindow(144);
  window.settle();
  const gui::Rect corner = placeOf(window, "A¹ previous ℓ");
  CHECK(corner.y1 < window.matrix().centerY());
  CHECK(corner.x1 < window.matrix().x1);
  window.scene.pattern = patternNamed("bigbird");
  window.prepare();
  window.settle();
  const gui::Rect matrix = window.matrix();
  const auto legend = maskLegend(*window.results.masks->tiles.front().prepared, FigureTheme::Dark);
  REQUIRE(legend.size() > 1);
  for (const LegendEntry& entry : legend)
    CHECK(placeOf(window, entry.label).y0 >= matrix.y1);
}

TEST_CASE("Beside a pin weights keep the colours of their ramp, and the strips keep their legend") {
  MaskWindow window = stridedWindow(36);
  showWeights(window, WeightsShown::Maximum);
  window.settle();
  const ImVec2 cell = middle(window, 10, 9);
  const unsigned before = colorAt(window.pixels(), cell.x, cell.y);
  window.scene.pins = {30, {}};
  window.settle();
  CHECK(colorAt(window.pixels(), cell.x, cell.y) == before);
  const gui::Rect parts = placeOf(window, "A¹ previous ℓ");
  CHECK(parts.y0 > placeOf(window, "attention weight p").y1);
  CHECK(parts.x1 < window.matrix().x1);
}

TEST_CASE("A mask that shows weights keeps no room for the legend of its parts") {
  MaskWindow window = stridedWindow(144);
  window.settle();
  const gui::Rect whole = window.matrix();
  window.scene.pattern = patternNamed("bigbird");
  window.prepare();
  window.settle();
  REQUIRE(window.matrix().y1 < whole.y1);
  showWeights(window, WeightsShown::Maximum);
  window.settle();
  CHECK(window.says("attention weight p"));
  CHECK(window.matrix().y1 == whole.y1);
}

TEST_CASE("Parts that the first of several masks does not show have their legend at the next") {
  MaskWindow window(640, 500);
  window.scene.length.n = 36;
  window.scene.mask.panels = {{"(a)", patternNamed("bigbird")}, {"(b)", patternNamed("bigbird")}};
  window.prepare();
  window.settle();
  const auto legend = maskLegend(*window.results.masks->tiles[1].prepared, FigureTheme::Dark);
  REQUIRE(legend.size() > 1);
  for (const LegendEntry& entry : legend)
    CHECK(placeOf(window, entry.label).x1 <= window.matrix("Mask 1").x1 + 1);
  showWeights(window, WeightsShown::Maximum);
  window.settle();
  for (const LegendEntry& entry : legend)
    CHECK(placeOf(window, entry.label).x0 >= window.matrix("Mask 2").x0);
}

TEST_CASE("Small multiples have all their legends and whole titles below them") {
  MaskWindow window(640, 500, ThemeKind::Light);
  window.scene.length.n = 36;
  window.scene.mask.panels = {{"(a) one after the other in turn", patternNamed("strided")},
                              {"(b)", patternNamed("fixed")},
                              {"(c)", patternNamed("bigbird")}};
  window.prepare();
  window.settle();
  for (std::size_t k = 0; k < 3; ++k) {
    const gui::Rect matrix = window.matrix("Mask " + std::to_string(k + 1));
    const auto legend = maskLegend(*window.results.masks->tiles[k].prepared, FigureTheme::Light);
    const gui::Rect title = placeOf(window, window.results.masks->tiles[k].title);
    CHECK(title.y0 >= matrix.y1);
    for (const LegendEntry& entry : legend) {
      const gui::Rect words = placeOf(window, entry.label);
      CHECK(words.x0 >= matrix.x0);
      CHECK(words.y0 >= title.y1 - 1);
      CHECK(words.x1 <= matrix.x1 + 1);
    }
  }
}

TEST_CASE("Each of several masks of different parts has a legend, beside it where that is larger") {
  MaskWindow window(1376, 580, ThemeKind::Light, false, 1.6F);
  window.scene.length.n = 12;
  for (const char* title : {"(a) Child et al., the text", "(b) openai/sparse_attention", "(c)",
                            "(d)", "(e)", "(f)", "(g)", "(h)"})
    window.scene.mask.panels.push_back({title, Causal{}, {{"5 keys"}}});
  window.scene.mask.panels[6] = {"(g) Longformer, allenai", Full{}, {{"9 keys"}}};
  window.prepare();
  window.settle();
  for (std::size_t k = 0; k < 8; ++k) {
    const gui::Rect matrix = window.matrix("Mask " + std::to_string(k + 1));
    const auto legend = maskLegend(*window.results.masks->tiles[k].prepared, FigureTheme::Light);
    REQUIRE(legend.size() == 1);
    CHECK(matrix.x1 - matrix.x0 >= 140);
    const auto isBeside = [&](const Widget& widget) {
      const gui::Rect& r = widget.rect;
      return widget.label == legend.front().label && r.x0 > matrix.x1 && r.x0 < matrix.x1 + 30 &&
             r.y0 >= matrix.y0 - 1 && r.y1 < matrix.y1;
    };
    const auto widgets = window.log().widgets();
    CHECK(std::any_of(widgets.begin(), widgets.end(), isBeside));
  }
}

TEST_CASE("Text below low matrices takes the width between them") {
  constexpr int kHeight = 340;
  MaskWindow window(1300, kHeight, ThemeKind::Light, false, 1.6F);
  window.scene.length.n = 36;
  window.scene.mask.panels = {{"(a) one after the other in turn", patternNamed("strided")},
                              {"(b) a block and what is before it", patternNamed("fixed")},
                              {"(c)", patternNamed("bigbird")}};
  window.prepare();
  window.settle();
  for (std::size_t k = 0; k < 3; ++k) {
    const gui::Rect matrix = window.matrix("Mask " + std::to_string(k + 1));
    CHECK(matrix.y0 == window.matrix("Mask 1").y0);
    CHECK(matrix.x1 - matrix.x0 > 48);
    const gui::Rect title = placeOf(window, window.results.masks->tiles[k].title);
    CHECK(title.y1 - title.y0 < 1.6F * 20); // one line
    CHECK(title.y1 < kHeight);
    if (k < 2)
      CHECK(title.x1 < window.matrix("Mask " + std::to_string(k + 2)).x0);
  }
}

TEST_CASE("Type of twice the size keeps everything in its place") {
  const PictureFolder pictures;
  MaskWindow window(1200, 1200, ThemeKind::Light, false, 2);
  window.scene.pins = {97, 64};
  window.prepare();
  window.settle();
  pictures.save(window.pixels(), "double_size");
  const gui::Rect area = window.matrix();
  CHECK(area.x1 - area.x0 > 800);
  CHECK(area.y1 < 1080);
}

TEST_CASE("In a low view a matrix gets the height of the hint and of its legend") {
  const PictureFolder pictures;
  MaskWindow window(1024, 480, ThemeKind::Dark, false, 2);
  window.scene.length.n = 144;
  window.scene.pins = {97, 61};
  window.prepare();
  window.settle();
  pictures.save(window.pixels(), "low");
  const gui::Rect matrix = window.matrix();
  CHECK(matrix.y1 - matrix.y0 > 200);
  const gui::Rect legend = placeOf(window, "A¹ previous ℓ");
  CHECK(legend.x0 > matrix.x1 + 2 * 22); // the key's column is between them
  CHECK(legend.y1 < matrix.y1);
  CHECK_FALSE(window.says("scroll zooms"));
  window.scene.mask.weights = WeightsShown::Maximum;
  window.settle();
  CHECK(window.says("attention weights need an input"));
}

} // namespace
} // namespace attention::gui
