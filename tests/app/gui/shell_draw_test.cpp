// Masks drawn by hand in the window, as a person draws them: key, tools, drags and clicks.
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/drawn.h"
#include "core/pattern/mechanism/local.h"
#include "core/pattern/mechanism/strided.h"
#include "core/pattern/pattern_json.h"
#include "core/pattern/strokes.h"
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

// Where a cell of 64 × 64 lies in the mask's canvas: its middle.
std::string at(Index query, Index key) {
  const auto share = [](Index x) { return std::to_string((static_cast<double>(x) + 0.5) / 64); };
  return "\"View/Mask\" at " + share(key) + " " + share(query);
}

std::string dragged(Index i0, Index j0, Index i1, Index j1) {
  return "drag " + at(i0, j0) + " to " + at(i1, j1) + "\nwait\n";
}

std::string clicked(Index query, Index key) {
  return "click " + at(query, key) + "\nwait\n";
}

std::string tool(const std::string& name) {
  return "click \"Draw/tool/" + name + "\"\nframes 2\n";
}

Scene causalScene() {
  Scene scene = smallScene();
  scene.pattern = Causal{};
  return scene;
}

// The last stroke, as it is written.
std::string lastStroke(TestWindow& window) {
  const auto* drawn = window.scene().pattern.as<Drawn>();
  if (!drawn || drawn->strokes.empty())
    return "none";
  return nlohmann::json(attention::toJson(window.scene().pattern))["params"]["strokes"]
      .back()
      .dump();
}

std::string stroke(const std::string& rest, bool add = true) {
  return "{\"add\":" + std::string(add ? "true" : "false") + "," + rest + "}";
}

// The window's picture.
gl::Pixels pictureOf(TestWindow& window) {
  window.frame();
  return window.host().pixels();
}

TEST_CASE("The first stroke is drawn on the pattern and every stroke is a step of undo",
          "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\ncheck \"Draw/Draw\" missing\n" + clicked(10, 50));
  const auto* drawn = window.scene().pattern.as<Drawn>();
  REQUIRE(drawn);
  CHECK(drawn->on == Pattern(Causal{}));
  CHECK(lastStroke(window) == stroke(R"("at":[[10,50]],"shape":"cells")"));
  CHECK(window.results().masks->tiles.front().prepared->contains(10, 50));
  window.play("move " + at(10, 50) + "\nframes 3\n");
  REQUIRE(window.results().cell);
  CHECK(window.results().cell->why.text.find("added by hand") != std::string::npos);
  window.play(clicked(20, 40));
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 2);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 1);
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().pattern == Pattern(Causal{}));
  window.play("key Ctrl+Y\nwait\nkey B\nframes 2\ncheck \"Draw/Draw\" exists\n" + clicked(30, 5));
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 1);
  CHECK(window.scene().pins.query == 30); // a click pins again
}

TEST_CASE("Shift removes what a stroke would add, and a switch turns that over", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\nshift-click " + at(40, 8) + "\nwait\n");
  CHECK(lastStroke(window) == stroke(R"("at":[[40,8]],"shape":"cells")", false));
  CHECK_FALSE(window.results().masks->tiles.front().prepared->contains(40, 8));
  window.play("move " + at(40, 8) + "\nframes 3\n");
  REQUIRE(window.results().cell);
  CHECK(window.results().cell->why.text.find("removed by hand") != std::string::npos);
  window.play("click \"Draw/strokes/erase\"\nframes 2\n" + clicked(41, 9));
  CHECK(lastStroke(window) == stroke(R"("at":[[41,9]],"shape":"cells")", false));
  window.play("shift-click " + at(40, 8) + "\nwait\n");
  CHECK(lastStroke(window) == stroke(R"("at":[[40,8]],"shape":"cells")"));
  CHECK(window.results().masks->tiles.front().prepared->contains(40, 8));
}

TEST_CASE("Every tool draws its shape from a click and from a drag", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\n" + tool("rectangle") + dragged(4, 30, 9, 41));
  CHECK(lastStroke(window) == stroke(R"("at":[4,10,30,42],"shape":"rectangle")"));
  window.play(dragged(9, 41, 4, 30));
  CHECK(lastStroke(window) == stroke(R"("at":[4,10,30,42],"shape":"rectangle")"));
  window.play(tool("row") + clicked(12, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[12],"shape":"row")"));
  window.play(dragged(12, 20, 12, 29));
  CHECK(lastStroke(window) == stroke(R"("at":[12,20,30],"shape":"row")"));
  window.play(tool("column") + clicked(12, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[20],"shape":"column")"));
  window.play(dragged(40, 20, 12, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[20,12,41],"shape":"column")"));
  window.play(tool("diagonal") + clicked(12, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[-8],"shape":"diagonal")"));
  window.play(dragged(12, 20, 15, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[-8,4],"shape":"diagonal")"));
  window.play(tool("block") + clicked(12, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[8,16,16,24],"shape":"rectangle")"));
  window.play("set \"block size\" 16\nframes 2\n" + dragged(12, 20, 20, 20));
  CHECK(lastStroke(window) == stroke(R"("at":[0,32,16,32],"shape":"rectangle")"));
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 10);
  CHECK_FALSE(window.scene().camera); // nothing was panned
  CHECK(window.scene().pins == causalScene().pins);
}

TEST_CASE("The brush draws every cell that it goes over", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\n" + dragged(10, 40, 10, 46));
  const auto& strokes = window.scene().pattern.as<Drawn>()->strokes;
  REQUIRE(strokes.size() == 1);
  REQUIRE(strokes[0].shape == Stroke::Shape::Cells);
  CHECK(strokes[0].at.size() == 7);
  const auto pieces = piecesOf(strokes);
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].shape.clip == attention::Rect{10, 11, 40, 47});
  window.play("set \"brush size\" 3\nframes 2\n" + clicked(20, 50));
  CHECK(lastStroke(window) == stroke(R"("at":[19,22,49,52],"shape":"rectangle")"));
  window.play(clicked(0, 63)); // cut at the edges
  CHECK(lastStroke(window) == stroke(R"("at":[0,2,62,64],"shape":"rectangle")"));
}

TEST_CASE("Strokes come again mirrored and every so many tokens where asked", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\nclick \"Draw/mirrored\"\nframes 2\n"
              "set \"repeat every\" 16\nframes 2\n" +
              clicked(3, 1));
  CHECK(lastStroke(window) ==
        stroke(R"("at":[[3,1]],"repeat":{"mirror":true,"period":16},"shape":"cells")"));
  const auto& mask = *window.results().masks->tiles.front().prepared;
  for (const Index k : {0, 16, 32, 48})
    CHECK(mask.contains(1 + k, 3 + k));
  window.play("set \"repeat every\" 0\nframes 4\n");
  CHECK(window.says("period is 0; it must be an integer from 1 to 1073741824"));
  window.play("set \"repeat every\" \"\"\nframes 4\n" + clicked(5, 1));
  CHECK(lastStroke(window) == stroke(R"("at":[[5,1]],"repeat":{"mirror":true},"shape":"cells")"));
}

TEST_CASE("A brush on a long mask is as wide as the pointer and as narrow as a cell nearby",
          "[shell]") {
  Scene scene = causalScene();
  scene.length.n = 16384;
  TestWindow window(scene);
  window.play("key B\nframes 2\n" + clicked(10, 50));
  const Stroke far = window.scene().pattern.as<Drawn>()->strokes[0];
  CHECK(far.shape == Stroke::Shape::Rectangle);
  CHECK(far.at[0][1] - far.at[0][0] > 16); // a point of the screen holds so many
  window.play("scroll \"View/Mask\" 40\nframes 3\nwait\nclick \"View/Mask\" at 0.5 0.4\nwait\n");
  const Stroke near = window.scene().pattern.as<Drawn>()->strokes[1];
  CHECK(near.shape == Stroke::Shape::Cells);
  CHECK(near.at.size() == 1);
  CHECK(window.results().masks->tiles.front().prepared->contains(near.at[0][0], near.at[0][1]));
}

TEST_CASE("Queries beside the keys are drawn as the tokens that they act as", "[shell]") {
  Scene scene = causalScene();
  scene.length.queries = 16;
  scene.length.align = Align::BottomRight;
  TestWindow window(scene);
  window.play("key B\nframes 2\n" + tool("row") + "click \"View/Mask\" at 0.5 0.5\nwait\n");
  const Stroke row = window.scene().pattern.as<Drawn>()->strokes[0];
  CHECK(row.at[0][0] >= 48);
  const Index query = row.at[0][0] - 48;
  CHECK(window.results().masks->tiles.front().prepared->rowCount(query, 0, 64) == 64);
}

TEST_CASE("The stroke is seen under the pointer before it is drawn", "[shell]") {
  TestWindow window(causalScene());
  window.play("move " + at(20, 50) + "\nframes 3\n");
  const gl::Pixels before = pictureOf(window);
  window.play("key B\nframes 2\n" + tool("block") + "move " + at(20, 50) + "\nframes 3\n");
  const gl::Pixels block = pictureOf(window);
  CHECK_FALSE(samePicture(before, block));
  window.play(tool("diagonal") + "move " + at(20, 50) + "\nframes 3\n");
  CHECK_FALSE(samePicture(block, pictureOf(window)));
  CHECK(window.scene().pattern == Pattern(Causal{}));
}

TEST_CASE("The list of strokes takes back the last one or all of them", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\n" + clicked(10, 50) + clicked(11, 51) + clicked(12, 52));
  CHECK(window.says("3 strokes by hand"));
  CHECK(window.says("3.  add cell (12, 52)"));
  window.play("click \"strokes/remove last\"\nwait\n");
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 2);
  window.play("click \"strokes/clear\"\nwait\n");
  CHECK(window.scene().pattern == Pattern(Causal{}));
  window.play("key Ctrl+Z\nwait\n");
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 2);
}

TEST_CASE("A mask can be drawn from nothing, and on the pattern again", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\nclick \"start from/nothing\"\nwait\n");
  REQUIRE(window.scene().pattern.is<Drawn>());
  CHECK_FALSE(window.scene().pattern.as<Drawn>()->on);
  CHECK(window.results().masks->tiles.front().prepared->pairs() == 0);
  window.play(clicked(20, 3) + "click \"strokes/clear\"\nwait\n");
  CHECK(window.results().masks->tiles.front().prepared->pairs() == 0); // still nothing
  window.play(clicked(20, 3) + "click \"start from/this pattern\"\nwait\n");
  REQUIRE(window.scene().pattern.is<Drawn>());
  CHECK(window.scene().pattern.as<Drawn>()->on == Pattern(Causal{}));
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 1);
}

TEST_CASE("What was drawn above the diagonal is told and erased by one press", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\n");
  CHECK_FALSE(window.says("Shares are of full attention"));
  window.play(tool("column") + clicked(30, 40));
  CHECK(window.says("Shares are of full attention, not of causal"));
  window.play("click \"Draw/keep j ≤ i\"\nwait\n");
  CHECK_FALSE(window.says("Shares are of full attention"));
  CHECK(window.results().masks->tiles.front().prepared->pairs() == 64 * 65 / 2);
  CHECK(window.says("remove all above the diagonal"));
  // Once more it takes the place of the first.
  window.play(clicked(30, 50) + "click \"Draw/keep j ≤ i\"\nwait\n");
  CHECK(window.scene().pattern.as<Drawn>()->strokes.size() == 3);
}

TEST_CASE("The hint says what the tool does, and the strip ends drawing", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\n" + tool("diagonal"));
  CHECK(window.says("drag across to make it a band"));
  window.play(tool("block"));
  CHECK(window.says("click a block or drag over several"));
  window.play("click \"Draw/Done\"\nframes 2\ncheck \"Draw/Draw\" exists\n");
  CHECK(window.app().log().find("Draw/Done") == nullptr);
}

TEST_CASE("The strip of tools leaves the matrix its room in a small window", "[shell]") {
  TestWindow window(causalScene(), {}, {}, 1024, 640);
  const auto inSight = [&](const std::string& address) {
    const Widget* widget = window.app().log().find(address);
    return widget && wholeInSight(*widget);
  };
  CHECK(inSight("Draw/Draw"));
  CHECK(inSight("View options/check"));
  window.play("click \"Draw/Draw\"\nframes 3\n");
  for (const char* control : {"brush size", "mirrored", "repeat every"})
    CHECK(inSight(std::string("Draw/") + control));
  const Widget* done = window.app().log().find("Draw/Done");
  const Widget* mask = window.app().log().find("View/Mask");
  REQUIRE((done && mask));
  CHECK(wholeInSight(*done));
  CHECK(done->rect.y1 < mask->rect.y0);
  CHECK(mask->rect.y1 - mask->rect.y0 > 240);
}

TEST_CASE("The palette finds drawing and heads by what they attend to, from any view", "[shell]") {
  Scene scene = causalScene();
  scene.view = View::Reach;
  TestWindow window(scene);
  window.play(
      "key Ctrl+K\nframes 3\nset \"Palette/search\" \"draw a mask\"\nkey Enter\nframes 3\nwait\n");
  CHECK(window.scene().view == View::Mask);
  CHECK(window.app().log().find("Draw/Done") != nullptr);
  window.play("key Ctrl+K\nframes 3\nset \"Palette/search\" \"previous token\"\nkey Enter\nframes "
              "3\nwait\n");
  CHECK(window.scene().view == View::Attention);
  CHECK(window.scene().attention.list.order == HeadOrder::Previous);
  window.play(
      "key 1\nwait\nkey Ctrl+K\nframes 3\nset \"Palette/search\" \"step by step\"\nframes 3\n");
  CHECK(window.scene().view == View::Attention);
  CHECK(window.scene().attention.picture == AttentionPicture::Steps);
}

TEST_CASE("The pattern below the strokes keeps its controls", "[shell]") {
  Scene scene = smallScene();
  scene.pattern = Local{5};
  TestWindow window(scene);
  window.play("key B\nframes 2\n" + clicked(10, 50) + "set \"drawn on/window ℓ\" 9\nwait\n");
  CHECK(window.scene().pattern.as<Drawn>()->on == Pattern(Local{9}));
  window.play("set \"drawn on/pattern\" \"none\"\nwait\n");
  CHECK_FALSE(window.scene().pattern.as<Drawn>()->on);
  CHECK(window.results().masks->tiles.front().prepared->pairs() == 1);
}

TEST_CASE("Heads keep their factors below the strokes", "[shell]") {
  Scene scene = smallScene();
  scene.mask.heads.shown = HeadsShown::SideBySide;
  scene.mask.heads.heads = 2;
  scene.mask.heads.alternate = true;
  TestWindow window(scene);
  window.play("key B\nframes 2\n" + tool("column") + "click \"View/Mask 2\" at 0.5 0.5\nwait\n");
  REQUIRE(window.scene().pattern.is<Drawn>());
  const auto& tiles = window.results().masks->tiles;
  REQUIRE(tiles.size() == 2);
  CHECK_FALSE(tiles[0].pattern == tiles[1].pattern);
  const Index key = window.scene().pattern.as<Drawn>()->strokes[0].at[0][0];
  CHECK(tiles[0].prepared->contains(0, key));
  CHECK(tiles[1].prepared->contains(0, key));
}

TEST_CASE("A figure of several patterns is not drawn on, and neither is another view", "[shell]") {
  Scene scene = causalScene();
  scene.mask.panels = {{"one", Causal{}}, {"two", Local{3}}};
  TestWindow window(scene);
  window.play("check \"Draw/Draw\" missing\nkey B\nframes 2\n"
              "click \"View/Mask 1\" at 0.5 0.5\nwait\n");
  CHECK(window.scene().mask.panels.size() == 2);
  CHECK(window.scene().pattern == Pattern(Causal{}));
  TestWindow compare(causalScene());
  compare.play("key B\nframes 2\nkey 8\nwait\nclick \"View/Mask 1\" at 0.5 0.5\nwait\n");
  CHECK_FALSE(compare.scene().pattern.is<Drawn>());
}

TEST_CASE("While presenting a drag pans and does not draw", "[shell]") {
  TestWindow window(causalScene());
  window.play("key B\nframes 2\nkey F5\nframes 3\nwait\nclick \"View/Mask\" at 0.5 0.5\nwait\n");
  CHECK(window.scene().pattern == Pattern(Causal{}));
}

} // namespace
} // namespace attention::gui
