// Everything that the Steps picture shows of a typed input that can be computed by hand.
#include "core/pattern/mechanism/causal.h"
#include "tests/app/gui/shown_things.h"

namespace attention::gui {
namespace {

// "sat" has the scores 0, 4/√2 and 2/√2: of their exponentials 0.059, 1 and 0.243 "cat" has 0.768.
Scene stepsScene() {
  Scene scene = smallScene();
  scene.view = View::Attention;
  scene.input.source = exampleOfTyped();
  scene.length = {};
  scene.pattern = Causal{};
  scene.pins = {2, {}};
  scene.attention.picture = AttentionPicture::Steps;
  return scene;
}

TEST_CASE("Steps shows these facts of a typed query and no others", "[shown]") {
  TestWindow window(stepsScene());
  CHECK(wordsIn(window, "Inspector") ==
        Words{"Read this", "Key 1 “cat” gets the largest weight, 76.8 %.", "This query",
              "visible keys: 3 of 4", "largest score: 2.83", "sum of exp: 1.3",
              "largest weight: 0.768 on key 1 “cat”"});
  CHECK(window.says("Query 2 (sat): softmax attention over 3 of 4 keys"));
  CHECK(window.says("s = q·k / √2, max = 2.83, sum = 1.3, p = exp(s − max) / sum, output = Σ p v"));
}

TEST_CASE("Arrows step through the computation, and a play comes to its end", "[shell]") {
  TestWindow window(stepsScene());
  window.play("key Right\nwait\ncheck scene.attention.steps.step == 1\n"
              "key Right\nwait\ncheck scene.attention.steps.step == 2\n"
              "key Left\nwait\ncheck scene.attention.steps.step == 1\n"
              "key Left\nwait\ncheck scene.attention.steps.step == 1\n");
  CHECK(window.says("Step 1 of 9. Query and keys: q and every k are rows of 2 numbers"));
  for (int step = 2; step <= 9; ++step)
    window.play("key Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 0);
}

TEST_CASE("Down shows the steps of the next query", "[shell]") {
  TestWindow window(stepsScene());
  window.play("key Down\nwait\n");
  CHECK(window.scene().pins.query == 3);
  CHECK(window.says("Query 3 (down): softmax attention over 4 of 4 keys"));
}

TEST_CASE("Every way of steps and the whole matrix can be chosen", "[shell]") {
  TestWindow window(stepsScene());
  window.play("click \"Steps/online softmax\"\nwait\n"
              "check scene.attention.steps.by == \"online\"\n"
              "click \"Steps/linear attention\"\nwait\n"
              "check scene.attention.steps.by == \"linear\"\n"
              "click \"Steps/random features\"\nwait\n"
              "check scene.attention.steps.by == \"features\"\n"
              "click \"Steps/softmax\"\nwait\n"
              "click \"Steps/whole matrix\"\nwait\n"
              "check scene.attention.steps.whole == true\n");
  CHECK(window.says("4. softmax of rows"));
}

TEST_CASE("A presentation goes through the steps before it goes on", "[shell]") {
  Scene scene = stepsScene();
  scene.attention.steps.step = 8;
  TestWindow window(scene);
  window.play("key F5\nwait\nkey Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 0);
  CHECK(window.scene().input.head == 0);
}

TEST_CASE("A typed input is edited in place", "[shell]") {
  TestWindow window(stepsScene());
  window.play("set \"Input/k 1\" \"0, 0\"\nwait\n");
  const auto* typed = std::get_if<TypedInput>(&window.scene().input.source);
  REQUIRE(typed);
  CHECK(typed->k(1, 0) == 0);
  window.play("click \"Input/Add a word\"\nwait\n");
  CHECK(std::get<TypedInput>(window.scene().input.source).words.size() == 5);
  CHECK(window.results().lengths.keys == 5);
  window.play("click \"Input/Remove the last\"\nwait\n");
  CHECK(std::get<TypedInput>(window.scene().input.source).words.size() == 4);
  window.play("set \"Input/k 1\" \"1\"\nwait\n");
  CHECK(window.says("k has 1 number; it must have 2"));
}

} // namespace
} // namespace attention::gui
