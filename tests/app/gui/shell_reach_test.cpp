// How the Reach view is divided in the whole window, presented and in large type, and what it says.
#include "core/pattern/mechanism/all.h"
#include "core/views/shown_patterns.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

Scene reachScene(Index layers) {
  Scene scene = smallScene();
  scene.length.n = 24;
  scene.view = View::Reach;
  scene.reach.layers = layers;
  return scene;
}

Rect rectOf(TestWindow& window, const char* label) {
  const Widget* widget = window.app().log().find(label);
  REQUIRE(widget);
  return widget->rect;
}
float heightIn(TestWindow& window, const char* label) {
  const Rect rect = rectOf(window, label);
  return rect.y1 - rect.y0;
}

TEST_CASE("A presented graph of layers is most of the slide", "[present]") {
  const auto [width, height] =
      GENERATE(std::pair(1440, 900), std::pair(1024, 768), std::pair(1920, 1080));
  TestWindow window(reachScene(4), {}, {}, width, height);
  window.play("key F5\nwait\nframes 4\n");
  REQUIRE(window.bench().present);
  const Rect graph = rectOf(window, "View/Layers");
  const Rect growth = rectOf(window, "View/Growth");
  const Rect hops = rectOf(window, "View/Hops");
  CHECK(graph.y1 - graph.y0 >= 0.6F * static_cast<float>(height));
  CHECK(graph.x1 - graph.x0 >= 0.5F * static_cast<float>(width));
  CHECK(growth.x0 >= graph.x1);
  CHECK(hops.x0 >= graph.x1);
  CHECK(hops.y0 >= growth.y1);
  CHECK(growth.y1 - growth.y0 >= 0.2F * static_cast<float>(height));
  CHECK(hops.y1 - hops.y0 >= 0.3F * static_cast<float>(height));
}

TEST_CASE("A slide higher than wide has the graph of layers above the rest", "[present]") {
  TestWindow window(reachScene(2), {}, {}, 900, 1000);
  window.play("key F5\nwait\nframes 4\n");
  CHECK(heightIn(window, "View/Layers") >= 450);
  CHECK(rectOf(window, "View/Growth").y0 >= rectOf(window, "View/Layers").y1);
}

TEST_CASE("Rows of a graph of layers are told apart in large type, and words are whole",
          "[shell]") {
  const Index layers = GENERATE(2, 8);
  UiState habits;
  habits.scale = GENERATE(1.0F, 1.5F, 2.0F);
  TestWindow window(reachScene(layers), {}, habits, 1024, 640);
  INFO(layers << " layers at scale " << habits.scale);
  const float type = 12 * habits.scale;
  const float axis = 5 * type; // below the rows, numbers and their name
  CHECK(heightIn(window, "View/Layers") >= axis + 1.7F * type * static_cast<float>(layers));
  CHECK(heightIn(window, "View/Layers") >= axis + 6 * type);
  CHECK(heightIn(window, "View/Growth") >= 6 * type);
  CHECK(heightIn(window, "View/Hops") >= 7 * type);
  CHECK((window.says("layers until key j reaches query i") ||
         window.says("layers until j reaches i")));
}

TEST_CASE("A graph of many layers has room in windows of any height", "[shell]") {
  const int height = GENERATE(540, 580, 620, 640, 700, 800, 900, 1000, 1200);
  const Index layers = GENERATE(8, 24);
  TestWindow window(reachScene(layers), {}, {}, 1440, height);
  INFO(layers << " layers in a window " << height << " high");
  CHECK(heightIn(window, "View/Layers") >= 22 * static_cast<float>(layers));
  CHECK(heightIn(window, "View/Growth") >= 70);
  CHECK(heightIn(window, "View/Hops") >= 80);
}

Scene twoHeads(bool residual) {
  Scene scene = reachScene(2);
  scene.length.n = 36;
  scene.reach.residual = residual;
  scene.reach.stack = {Panel{"", Fixed{6, 1, 0, Factor::First}},
                       Panel{"", Fixed{6, 1, 0, Factor::Second}}};
  return scene;
}

TEST_CASE("Pairs that a layer loses again are named in Read this and on the path", "[shell]") {
  Scene scene = twoHeads(false);
  scene.pins = {33, 31};
  TestWindow window(scene);
  CHECK(window.says(
      "Fewer layers reach 90 pairs (orange in the matrix) that the full stack loses again."));
  CHECK(window.says("With the residual connection, tokens would reach 100.0\u2009% (666 pairs)."));
  CHECK(window.says("1 layer reaches it, but the full stack loses it again"));
  window.play("click \"residual connection\"\nwait\nframes 3\n");
  CHECK_FALSE(window.says("the full stack loses"));
  CHECK(window.says("After 2 layers every token reaches every earlier token."));
}

TEST_CASE("What also holds without the residual connection is not given as another number",
          "[shell]") {
  Scene scene = reachScene(2);
  scene.length.n = 36;
  scene.pattern = Strided{6};
  TestWindow window(scene);
  CHECK(window.says("After 2 layers every token reaches every earlier token."));
  CHECK(window.says("This also holds without the residual connection."));
  CHECK_FALSE(window.says("tokens would reach"));
  window.bench().document.apply({"layers", [](Scene& s) { s.reach.layers = 4; }});
  window.settle(); // without it only the reach of all layers together is known
  CHECK(window.says("Without the residual connection, all 4 layers together reach every earlier "
                    "token too."));
  window.bench().document.apply({"window", [](Scene& s) { s.pattern = Local{3, true}; }});
  window.settle();
  CHECK(window.says("Without the residual connection the share is the same."));
}

TEST_CASE("The sidebar edits the layer that is pressed", "[shell]") {
  Scene scene = reachScene(2);
  scene.pattern = Strided{6};
  scene.reach.stack = {Panel{"low", Local{5, true}}, Panel{"high", Fixed{6, 1}}};
  TestWindow window(scene);
  const auto layer = [&](std::size_t place) { return window.scene().reach.stack[place].pattern; };
  CHECK(window.says("Parameters of layer 1"));
  CHECK(window.shows("Parameters/window ℓ"));
  CHECK_FALSE(window.shows("Parameters/stride ℓ"));
  window.play("set \"Parameters/window ℓ\" 3\nwait\nframes 3\n");
  CHECK(layer(0) == Pattern(Local{3, true}));
  window.play("click \"layer 2/layer 2\"\nwait\nframes 3\n");
  CHECK(window.says("Parameters of layer 2"));
  CHECK_FALSE(window.shows("Parameters/window ℓ"));
  // A pattern from the strip replaces it, undo brings it back, and the rest stays.
  window.play("click \"recent/Causal\"\nwait\n");
  CHECK(layer(1) == Pattern(Causal{}));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(layer(1) == Pattern(Fixed{6, 1}));
  CHECK(window.scene().reach.stack[1].title == "high");
  CHECK(layer(0) == Pattern(Local{3, true}));
  CHECK(window.scene().pattern == Pattern(Strided{6}));
  // With one pattern for all layers it is the one that stood above.
  window.play("click \"patterns/same in all\"\nwait\n");
  CHECK(window.scene().pattern == Pattern(Fixed{6, 1}));
}

TEST_CASE("The selected layer stays selected while layers move and go", "[shell]") {
  Scene scene = reachScene(4);
  for (const Index window : {2, 3, 4, 5})
    scene.reach.stack.push_back({"", Local{window, true}});
  scene.reach.chosen = 2; // of 4 keys
  TestWindow window(scene);
  const auto chosenKeys = [&] { return editedPattern(window.scene()).as<Local>()->window; };
  const auto after = [&](const char* step) {
    window.play(step + std::string("\nwait\nframes 3\n"));
    return chosenKeys();
  };
  CHECK(after("drag \"layer 1/layer 1\" to \"layer 4/layer 4\"") == 4);
  CHECK(window.scene().reach.chosen == 1);
  CHECK(after("drag \"layer 4/layer 4\" to \"layer 1/layer 1\"") == 4);
  CHECK(window.scene().reach.chosen == 2);
  CHECK(after("click \"layer 2/up\"") == 4);
  CHECK(window.scene().reach.chosen == 1);
  CHECK(after("click \"layer 1/remove\"") == 4);
  CHECK(window.scene().reach.chosen == 0);
  CHECK(after("click \"layer 1/remove\"") == 3);
  CHECK(window.scene().reach.chosen == 0);
  CHECK(after("click \"layer 2/layer 2\"") == 5);
  CHECK(after("click \"layer 2/remove\"") == 3);
  CHECK(window.scene().reach.chosen == 0);
}

} // namespace
} // namespace attention::gui
