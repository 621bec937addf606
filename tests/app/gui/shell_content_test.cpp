// Data-dependent patterns in the window: chosen, changed, drawn and explained.
#include "app/gui/platform/imgui_compat.h"
#include "app/gui/platform/utf8.h"
#include "core/pattern/mechanism/all.h"
#include "tests/app/gui/shell_window.h"

#include <set>

namespace attention::gui {
namespace {

Scene sampleScene() {
  Scene scene = aliceScene();
  scene.length = LengthSpec();
  return scene;
}

gl::Pixels pictureOf(TestWindow& window) {
  window.settle();
  return window.host().pixels();
}

std::size_t differing(const gl::Pixels& a, const gl::Pixels& b) {
  REQUIRE(a.rgba.size() == b.rgba.size());
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.rgba.size(); k += 4)
    count += a.rgba[k] != b.rgba[k] || a.rgba[k + 1] != b.rgba[k + 1] ? 1U : 0U;
  return count;
}

void choose(TestWindow& window, const std::string& title) {
  window.play("key G\nwait\nclick " + quoted("Gallery/" + title) + "\nwait\n");
}

TEST_CASE("More rounds of hashing change the mask and its counts in the window", "[shell]") {
  TestWindow window(sampleScene());
  choose(window, "LSH (Reformer)");
  REQUIRE(window.results().masks);
  const Index pairs = window.results().counts->rows.pairs;
  const gl::Pixels before = pictureOf(window);
  window.play("set \"Parameters/rounds\" 4\nwait\ncheck scene.pattern.params.n_rounds == 4\n");
  CHECK(window.results().counts->rows.pairs > pairs);
  CHECK(window.results().masks->tiles.front().prepared->parts().size() == 4);
  CHECK(differing(before, pictureOf(window)) > 1000);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.results().counts->rows.pairs == pairs);
}

TEST_CASE("Another hash seed gives another mask and the same seed the same mask", "[shell]") {
  TestWindow window(sampleScene());
  choose(window, "LSH (Reformer)");
  const auto cells = [&] {
    std::vector<Index> counts;
    const auto& prepared = *window.results().masks->tiles.front().prepared;
    for (Index i = 0; i < prepared.lengths().queries; ++i)
      counts.push_back(prepared.rowCount(i, 0, prepared.lengths().keys / 2));
    return counts;
  };
  const auto first = cells();
  window.play("click \"redraw\"\nwait\n");
  CHECK(cells() != first);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(cells() == first);
}

TEST_CASE("Top-k takes the keys with the largest products of the given input", "[shell]") {
  TemporaryFolder folder;
  // Key j points only in the direction of query j.
  writeText(folder / "qk.csv", "q0,q1,q2,k0,k1,k2,v0\n1,0,0,9,0,0,1\n0,1,0,0,9,0,2\n"
                               "0,0,1,0,0,9,3\n");
  TestWindow window(sampleScene());
  window.play("drop " + quoted((folder / "qk.csv").string()) + "\nwait\n");
  choose(window, "Top-k");
  window.play("set \"k\" 1\nwait\n");
  const auto& prepared = *window.results().masks->tiles.front().prepared;
  REQUIRE(prepared.lengths().keys == 3);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j)
      CHECK(prepared.contains(i, j) == (i == j));
}

TEST_CASE("Another model head gives a data-dependent pattern another mask", "[shell]") {
  TestWindow window(sampleScene());
  choose(window, "Top-k");
  const gl::Pixels before = pictureOf(window);
  window.play("click \"model head/7\"\nwait\n");
  CHECK(differing(before, pictureOf(window)) > 500);
}

TEST_CASE("A pattern chosen from the gallery begins with parameters that suit the length",
          "[shell]") {
  TestWindow window(sampleScene());
  for (const char* title : {"Longformer", "BigBird", "Attention sinks", "Local"}) {
    choose(window, title);
    INFO(title);
    CHECK(window.results().counts->rows.pairs * 5 < 144 * 144 * 3);
  }
  window.play("check \"window ℓ\" value \"16\"\n");
}

TEST_CASE("A pattern that is chosen again keeps the parameters that were set", "[shell]") {
  TestWindow window(sampleScene());
  choose(window, "Local");
  window.play("set \"window ℓ\" 90\nwait\n");
  choose(window, "Causal");
  choose(window, "Local");
  window.play("check scene.pattern.params.window == 90\n");
}

TEST_CASE("A saved scene keeps parameters that exceed its length", "[shell]") {
  TemporaryFolder folder;
  Scene scene = smallScene();
  scene.pattern = patternNamed("longformer");
  writeScene(scene, folder / "scene.json");
  TestWindow window;
  window.play("drop " + quoted((folder / "scene.json").string()) + "\nwait\n");
  CHECK(window.scene().pattern == scene.pattern);
}

TEST_CASE("Conventions of libraries are found by name in the palette and the gallery", "[shell]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 3\ntype \"flashattention\"\nframes 2\nkey Enter\nframes 3\n"
              "check scene.pattern.mechanism == \"sliding_window\"\n"
              "check scene.pattern.params.left == 16\n");
  window.play("key G\nwait\ntype \"mistral\"\nframes 3\n"
              "click \"Gallery/Mistral 7B, figure 1\"\nframes 3\n"
              "check scene.pattern.mechanism == \"local\"\n"
              "check scene.pattern.params.window == 16\ncheck \"Gallery/search\" missing\n");
  window.play("key G\nwait\ntype \"axlearn\"\nframes 3\nkey Enter\nframes 3\n"
              "check \"Gallery/search\" missing\n");
  CHECK(window.bench().document.undoLabel() == "axlearn");
}

TEST_CASE("A published figure is found by its paper in the palette", "[shell]") {
  TestWindow window;
  window.play("key Ctrl+K\nframes 3\ntype \"yuan 2025\"\nframes 2\nkey Enter\nwait\n");
  CHECK(window.scene().paper == "Native Sparse Attention (Yuan et al. 2025)");
  CHECK(window.scene().mask.panels.size() == 3);
}

TEST_CASE("The inspector says what to look for in the current picture", "[shell]") {
  TestWindow window;
  CHECK(window.says("Query 63 sees keys 55–63"));
  window.play("set \"stride ℓ\" 4\nwait\n");
  CHECK(window.says("Query 63 sees keys 59–63"));
  choose(window, "Causal");
  CHECK(window.says("Query 63 sees every key up to itself."));
}

TEST_CASE("The matrix stays in place when zooming brings token labels", "[shell]") {
  TestWindow window(sampleScene(), {}, {}, 1024, 640);
  const Rect whole = window.app().log().find("View/Mask")->rect;
  CHECK(whole.x1 - whole.x0 > 410);
  window.play("scroll \"View/Mask\" 14\nwait\nframes 3\n");
  CHECK(window.scene().camera);
  CHECK(window.app().log().find("View/Mask")->rect == whole);
}

TEST_CASE("Names below matrices are whole in a small window", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 640);
  const auto figure = [&](const std::string& name) {
    const auto& figures = window.bench().figures;
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const ShownFigure& f) { return f.name == name; });
    REQUIRE(found != figures.end());
    window.bench().document.open(found->scene, name);
    window.settle();
  };
  const auto height = [&](const std::string& words) {
    const Widget* found = window.app().log().find("View/" + words);
    REQUIRE(found);
    return found->rect.y1 - found->rect.y0;
  };
  figure("conventions-window");
  CHECK(height("(b) openai/sparse_attention") > 1.8F * height("(c) attention-gym"));
  figure("xformers-2d");
  CHECK(height("same row or column") > 1.8F * height("distance below 5"));
  figure("survey-2021-fig4"); // its last row is not full
  const auto rect = [&](const std::string& label) {
    const Widget* found = window.app().log().find(label);
    REQUIRE(found);
    return found->rect;
  };
  CHECK(rect("View/blocks").y0 > rect("View/Mask 5").y1);
  CHECK(rect("View/blocks").x0 == rect("View/Mask 5").x0);
}

TEST_CASE("Asking for the image of a rectangular mask says why there is none", "[shell]") {
  Scene scene = smallScene();
  scene.mask.image.shown = true;
  TestWindow window(scene);
  CHECK_FALSE(window.says("so the mask must be square"));
  CHECK(window.shows("View options/image rows"));
  window.bench().document.apply({"queries", [](Scene& s) { s.length.queries = 20; }});
  window.settle();
  CHECK(window.says("so the mask must be square"));
  CHECK_FALSE(window.shows("View options/image rows"));
}

TEST_CASE("In image mode every mask has its own image", "[shell]") {
  Scene scene = smallScene();
  scene.mask.image.shown = true;
  scene.mask.panels = {{"(a)", patternNamed("causal")}, {"(b)", patternNamed("strided")}};
  TestWindow window(scene, {}, {}, 1440, 900);
  window.play("click \"View/Image 1\" at 0.55 0.55\nframes 3\ncheck scene.pins.query == 36\n"
              "click \"View/Image 2\" at 0.1 0.1\nframes 3\ncheck scene.pins.query == 0\n");
  const Widget* first = window.app().log().find("View/Image 1");
  const Widget* second = window.app().log().find("View/Image 2");
  const Widget* matrix = window.app().log().find("View/Mask 2");
  REQUIRE((first && second && matrix));
  CHECK(second->rect.x0 == matrix->rect.x0);
  CHECK(second->rect.y0 > matrix->rect.y1);
  CHECK(first->rect.x1 < second->rect.x0);
  // With a key pinned a token of an image is a cell of its mask.
  window.bench().document.setPins({std::nullopt, 0});
  window.play("move \"View/Image 2\" at 0.5 0.5\nframes 3\n");
  REQUIRE(window.results().cell);
  CHECK(window.results().cell->mask == "(b)");
}

TEST_CASE("In a low window each image stands beside its matrix", "[shell]") {
  Scene scene = smallScene();
  scene.mask.image.shown = true;
  scene.mask.panels = {{"(a)", patternNamed("causal")}, {"(b)", patternNamed("strided")}};
  const bool low = GENERATE(false, true);
  TestWindow window(scene, {}, {}, 1440, low ? 400 : 900);
  const Widget* first = window.app().log().find("View/Mask 1");
  const Widget* image = window.app().log().find("View/Image 1");
  const Widget* second = window.app().log().find("View/Mask 2");
  REQUIRE((first && image && second));
  CHECK((image->rect.x0 > first->rect.x1) == low);
  CHECK((image->rect.y0 > first->rect.y1) == !low);
  CHECK(image->rect.x1 < second->rect.x0);
  CHECK(image->rect.y1 - image->rect.y0 < first->rect.y1 - first->rect.y0);
  const std::string words = low ? "beside each matrix" : "below each matrix";
  CHECK(window.shows(words + " its tokens as 8 × 8 pixels · query 36: row 4, column 4"));
  window.play("click \"View/Image 2\" at 0.55 0.55\nframes 3\ncheck scene.pins.query == 36\n");
}

TEST_CASE("The inspector explains the cell under the pointer", "[shell]") {
  Scene scene = smallScene();
  scene.mask.panels = {{"(a) all before", patternNamed("causal")},
                       {"(b) one in ℓ", patternNamed("strided")}};
  TestWindow window(scene, {}, {}, 1440, 900);
  window.play("wait\nmove \"View/Mask 1\" at 0.1 0.9\nframes 3\n");
  REQUIRE(window.results().cell);
  CHECK(window.results().cell->why.attends);
  CHECK(window.app().log().find("in (a) all before"));
  const auto [query, key] = std::pair(window.results().cell->query, window.results().cell->key);
  window.play("move \"View/Mask 2\" at 0.1 0.9\nframes 3\n");
  REQUIRE(window.results().cell);
  CHECK(window.results().cell->query == query);
  CHECK(window.results().cell->key == key);
  CHECK(window.results().cell->why.attends ==
        window.results().masks->tiles[1].prepared->contains(query, key));
  CHECK_FALSE(window.results().cell->why.attends);
  CHECK(window.app().log().find("in (b) one in ℓ"));
}

TEST_CASE("The font has every character that controls and text show", "[shell]") {
  TestWindow window(sampleScene());
  const std::string view = GENERATE("1", "2", "3", "4", "5", "6", "7", "8");
  window.play("key " + view + "\nwait\nframes 2\n");
  if (window.app().log().find("▶ Play"))
    window.play("click \"▶ Play\"\nframes 3\n"); // its label becomes another
  std::set<std::uint32_t> missing;
  for (const Widget& widget : window.app().log().widgets()) {
    std::string_view left = widget.label;
    while (!left.empty())
      if (const char32_t sign = takeSign(left);
          sign >= U' ' && !fontHasGlyph(window.host().fonts().text, sign))
        missing.insert(sign);
  }
  CHECK(missing == std::set<std::uint32_t>{});
}

TEST_CASE("Layers with their own patterns are defined and counted as such", "[shell]") {
  Scene scene = smallScene(); // strided in the sidebar, which no layer has
  scene.view = View::Reach;
  scene.reach.layers = 3;
  scene.reach.stack = {Panel{"", Local{5}}, Panel{"", Local{9}}};
  TestWindow window(scene);
  CHECK(window.says("3 layers · 2 patterns in turn"));
  CHECK_FALSE(window.says(" pairs · "));
  CHECK(window.says("of the lowest layer, Local, window 5"));
  window.bench().document.apply({"stack", [](Scene& s) { s.reach.stack.clear(); }});
  window.settle();
  CHECK(window.says(" pairs · "));
  CHECK_FALSE(window.says("of the lowest layer"));
}

TEST_CASE("What is said about only one mask names it if it has a title", "[shell]") {
  Scene scene = smallScene();
  const std::string title = GENERATE("", "low");
  scene.mask.panels = {Panel{title, Local{5}}, Panel{"high", Local{9}}};
  TestWindow window(scene);
  CHECK(window.says("of the first mask"));
  CHECK(window.says("of the first mask, low") == (title == "low"));
  CHECK_FALSE(window.says("of the first mask, Local"));
}

TEST_CASE("The definition of a single factor is that of the factor, whatever the view", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = Fixed{6, 1, 0, Factor::First};
  scene.view = GENERATE(View::Mask, View::Reach);
  TestWindow window(scene);
  CHECK(window.says("Sᵢ = A¹ᵢ"));
  CHECK_FALSE(window.says("A¹ᵢ ∪ A²ᵢ"));
}

TEST_CASE("The definition of a formula holds the formula itself", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = Expr{"abs(i - j) < 3 or j % 8 == 0", {}};
  TestWindow window(scene);
  std::string said;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind == WidgetKind::Text && widget.scope.rfind("Inspector", 0) == 0)
      said += widget.label + "\n";
  INFO(said);
  CHECK(said.find("abs(i - j) < 3") != std::string::npos);
}

TEST_CASE("The status bar names the figure on show", "[shell]") {
  Scene scene = smallScene();
  scene.title = "A figure of mine";
  TestWindow window(scene);
  const auto status = [&] { return window.app().log().find("Status/Ready")->value; };
  REQUIRE(window.app().log().find("Status/Ready"));
  CHECK(status() == "A figure of mine");
  window.bench().document.apply({"title", [](Scene& s) { s.title.clear(); }});
  window.settle();
  CHECK(status() == "Ready");
}

TEST_CASE("Undo stops the animation", "[shell]") {
  Scene scene = smallScene();
  scene.view = View::Reach;
  TestWindow window(scene);
  window.bench().document.apply({"layers", [](Scene& s) { s.reach.layers = 6; }});
  window.settle();
  window.play("key Space\nframes 2\n");
  REQUIRE(window.bench().playing);
  window.play("key Ctrl+Z\n");
  CHECK_FALSE(window.bench().playing);
}

TEST_CASE("Views that read no pattern have no Patterns tab, and fold their figures", "[shell]") {
  Scene scene = smallScene();
  scene.view = GENERATE(View::Kernels, View::Timings, View::Encodings);
  TestWindow window(scene);
  CHECK_FALSE(window.shows("Patterns"));
  REQUIRE(window.shows("Figures"));
  CHECK_FALSE(window.shows("Figure/PNG"));
  const std::size_t before = window.app().log().widgets().size();
  window.play("click \"Figures\"\nframes 3\n");
  CHECK(window.app().log().widgets().size() > before);
  window.play("click \"Figures\"\nframes 3\n");
  CHECK(window.app().log().widgets().size() == before);
  window.play("key 1\nwait\nframes 3\n");
  CHECK(window.shows("Patterns"));
  CHECK(window.shows("recent/Strided"));
}

} // namespace
} // namespace attention::gui
