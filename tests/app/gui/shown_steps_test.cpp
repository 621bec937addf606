// Everything that the Steps picture shows of a typed input that can be computed by hand.
#include "app/gui/pictures/figure_painter.h"
#include "app/gui/pictures/paint.h"
#include "app/gui/present/speaker_view.h"
#include "app/gui/views/steps/steps_view.h"
#include "core/pattern/mechanism/causal.h"
#include "core/pattern/mechanism/local.h"
#include "core/plot/layout.h"
#include "tests/app/gui/shown_things.h"

#include <algorithm>

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
  CHECK(window.says("Query 2 “sat”: softmax attention over 3 of 4 keys"));
  CHECK(window.says("All 9 steps. s = q·k / √2, max = 2.83, sum = 1.3, p = exp(s − max) / sum, "
                    "output = Σ p v; key 3 “down” gets −∞, since 2 − 3 = −1 < 0"));
}

TEST_CASE("Steps tells a number only once the picture shows it", "[shown]") {
  Scene scene = stepsScene();
  const auto inspector = [&](Index step) {
    scene.attention.steps.step = step;
    TestWindow window(scene);
    return wordsIn(window, "Inspector");
  };
  CHECK(inspector(3).empty());
  CHECK(inspector(4) == Words{"This query", "visible keys: 3 of 4"});
  CHECK(inspector(6) == Words{"This query", "visible keys: 3 of 4", "largest score: 2.83"});
  CHECK(inspector(7) == inspector(0));
}

TEST_CASE("Steps by feature maps tells their largest weight beside that of softmax", "[shown]") {
  Scene scene = stepsScene();
  scene.attention.steps.by = StepsBy::Linear;
  // φ(q) = (3, 1): with k = (0, 1), (2, 0) and (1, 1) a is 3 + 2, 9 + 1 and 6 + 2, of 23 in all.
  TestWindow window(scene);
  const Words words = wordsIn(window, "Inspector");
  REQUIRE(words.size() > 1);
  CHECK(words[1].starts_with(
      "Key 1 “cat” gets the largest weight, 43.5 %; softmax gives it 76.8 %."));
  CHECK(window.says("0.435 on key 1 “cat”"));
  CHECK(window.says("0.768 on key 1 “cat”"));
}

TEST_CASE("Arrows step where nothing but keys was used", "[shell]") {
  Scene scene = stepsScene();
  scene.view = View::Mask;
  TestWindow window(scene);
  window.play("key 3\nwait\nkey Right\nframes 3\nwait\nkey Right\nframes 3\nwait\n");
  REQUIRE(window.scene().view == View::Attention);
  CHECK(window.scene().attention.steps.step == 2);
}

TEST_CASE("Arrows step through the computation, and end at its last step", "[shell]") {
  TestWindow window(stepsScene());
  window.play("key Right\nwait\ncheck scene.attention.steps.step == 1\n"
              "key Right\nwait\ncheck scene.attention.steps.step == 2\n"
              "key Left\nwait\ncheck scene.attention.steps.step == 1\n"
              "key Left\nwait\ncheck scene.attention.steps.step == 1\n");
  CHECK(window.says("Step 1 of 9. Query and keys: q and every k are rows of 2 numbers"));
  for (int step = 2; step <= 10; ++step)
    window.play("key Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 9);
  CHECK(window.says("Step 9 of 9. Add them up: output = 0.768 v₁ + 0.187 v₂ + 0.0454 v₀ = "
                    "(0.232, 1.72)"));
}

TEST_CASE("The slider of steps names its 0", "[shown]") {
  TestWindow window(stepsScene());
  window.play("check \"Steps/step\" value \"all\"\nkey Right\nwait\n"
              "check \"Steps/step\" value \"1\"\n");
}

TEST_CASE("Without the division Steps compares only what would be divided", "[shown]") {
  Scene scene = stepsScene();
  scene.attention.steps.by = StepsBy::Linear;
  scene.attention.steps.normalized = false;
  TestWindow window(scene);
  CHECK(window.says("10 on key 1 “cat”")); // the largest a
  CHECK(window.says("o = Σ aⱼ vⱼ, not divided by Σ aⱼ"));
  const Words words = wordsIn(window, "Inspector");
  for (const std::string& said : words)
    CHECK_FALSE(said.starts_with("difference from softmax"));
  CHECK(std::any_of(words.begin(), words.end(), [](const std::string& said) {
    return said.starts_with("difference, if divided: ");
  }));
}

TEST_CASE("A presented sentence of Steps is as large as the numbers", "[shown]") {
  TestWindow window(stepsScene());
  window.play("key F5\nwait\nkey Right\nwait\nkey Right\nwait\nframes 2\n");
  const auto heightOf = [&](const std::string& begin) {
    for (const Widget& widget : window.app().log().widgets())
      if (widget.label.starts_with(begin))
        return widget.rect.y1 - widget.rect.y0;
    return 0.0F;
  };
  REQUIRE(heightOf("Vaswani et al. 2017") > 0); // of the small type that other sentences have
  CHECK(heightOf("Step 2 of 9. ") > 1.3F * heightOf("Vaswani et al. 2017"));
}

TEST_CASE("A pattern that hides most keys says so, and a link shows all", "[shell]") {
  Scene scene = stepsScene();
  scene.pins.query = 0;
  TestWindow window(scene);
  CHECK(window.says("pattern: Causal, hides 3 of 4 keys"));
  window.play("click \"View/show all keys\"\nwait\ncheck scene.pattern.mechanism == \"full\"\n");
  CHECK(window.says("softmax attention over 4 of 4 keys"));
}

TEST_CASE("The link of Steps shows no later keys of a decoder", "[shell]") {
  Scene scene = stepsScene();
  scene.input.source = AssetInput{"smollm2_pride"};
  scene.length.n = 64;
  scene.pattern = Local{8, true};
  scene.pins.query = 50;
  TestWindow window(scene);
  window.play("click \"View/show all earlier keys\"\nwait\n"
              "check scene.pattern.mechanism == \"causal\"\n");
  CHECK(window.says("softmax attention over 51 of 64 keys"));
  scene.pattern = Causal{};
  scene.pins.query = 5; // which has few keys under any pattern
  TestWindow causal(scene);
  CHECK(causal.says("pattern: Causal, hides 58 of 64 keys"));
  CHECK_FALSE(causal.says("show all"));
}

TEST_CASE("The query of Steps is chosen by number or by word", "[shell]") {
  TestWindow window(stepsScene());
  window.play("set \"Steps/query\" \"ca\"\nwait\ncheck scene.pins.query == 1\n"
              "set \"Steps/query\" \"3\"\nwait\ncheck scene.pins.query == 3\n");
  CHECK(window.says("Query 3 “down”"));
}

TEST_CASE("Down shows the steps of the next query", "[shell]") {
  TestWindow window(stepsScene());
  window.play("key Down\nwait\n");
  CHECK(window.scene().pins.query == 3);
  CHECK(window.says("Query 3 “down”: softmax attention over 4 of 4 keys"));
}

// Of as many words, whose numbers have two digits before the point and a sign.
Scene matricesScene(Index n) {
  Scene scene = stepsScene();
  TypedInput typed;
  typed.q = typed.k = typed.v = Matrix<double>(n, 4);
  for (Index i = 0; i < n; ++i) {
    typed.words.push_back("word" + std::to_string(i));
    for (Index c = 0; c < 4; ++c)
      typed.q(i, c) = typed.k(i, c) = typed.v(i, c) =
          2.9 * std::sin(static_cast<double>(5 * i + c));
  }
  scene.input.source = typed;
  scene.pins = {};
  scene.attention.steps.whole = true;
  return scene;
}

// How many of the cells of the k-th matrix have a number, laid out for its room on the screen.
std::size_t numbersIn(TestWindow& window, std::size_t k) {
  const Widget* matrix = window.app().log().find("View/Matrix " + std::to_string(k));
  REQUIRE(matrix);
  const Plot& plot = window.results().part<StepsResults>().shown->panels[k - 1].plots.front();
  const Fonts& fonts = window.host().fonts();
  const Size room{static_cast<double>(widthOf(matrix->rect)),
                  static_cast<double>(heightOf(matrix->rect))};
  const PlotLook look{plotType(fonts), FigureTheme::Dark};
  const auto placed = layoutPlot(plot, room, look, windowMeasure(fonts));
  const double unit = placed.box.width / std::get<DiagramMark>(plot.mark).width;
  std::size_t count = 0;
  for (const Primitive2D& item : placed.list.items)
    if (const auto* text = std::get_if<Text>(&item))
      count +=
          text->at.x > placed.box.x + 7 * unit && text->at.y > placed.box.y + 4 * unit ? 1U : 0U;
  return count;
}

TEST_CASE("All matrices of sixteen words have their numbers in a usual window", "[shown]") {
  TestWindow window(matricesScene(16));
  for (std::size_t k = 1; k <= 5; ++k)
    CHECK(numbersIn(window, k) == (k == 5 ? 64 : 256));
}

TEST_CASE("The matrix of the step has its numbers in a small window", "[shown]") {
  for (const Index n : {8, 16}) {
    Scene scene = matricesScene(n);
    scene.attention.steps.step = 3;
    TestWindow window(scene, {}, {}, 1024, 640);
    CHECK(numbersIn(window, 3) == static_cast<std::size_t>(n * n));
  }
  TestWindow all(matricesScene(8), {}, {}, 1024, 640);
  for (std::size_t k = 1; k <= 4; ++k)
    CHECK(numbersIn(all, k) == 64);
}

TEST_CASE("Matrices of a presentation fill its width", "[shown]") {
  TestWindow window(matricesScene(16), {}, {}, 1920, 1080);
  window.play("key F5\nwait\nframes 4\n");
  float right = 0;
  for (int k = 1; k <= 5; ++k) {
    const Widget* matrix = window.app().log().find("View/Matrix " + std::to_string(k));
    REQUIRE(matrix);
    CHECK(matrix->rect.x1 <= 1920);
    if (k < 5)
      CHECK(widthOf(matrix->rect) > 320);
    right = std::max(right, matrix->rect.x1);
  }
  CHECK(right > 1700);
}

TEST_CASE("Without a pin the row of the query that is shown is lit", "[shown]") {
  TestWindow window(matricesScene(5));
  CHECK(window.app().log().find("Steps/query")->value == "4 word4");
  for (const FigurePanel& panel : window.results().part<StepsResults>().shown->panels) {
    const auto& mark = std::get<DiagramMark>(panel.plots.front().mark);
    REQUIRE(mark.lines.size() == 1);
    CHECK(mark.lines.front().points.front().y == 4 + 4 * 4); // below labels and four rows
  }
}

TEST_CASE("Every way of steps and the whole matrix can be chosen", "[shell]") {
  TestWindow window(stepsScene());
  window.play("click \"Steps/online softmax\"\nwait\n"
              "check scene.attention.steps.by == \"online\"\n"
              "check scene.attention.steps.key_tile == 1\n" // fewer than all keys
              "click \"Steps/linear attention\"\nwait\n"
              "check scene.attention.steps.by == \"linear\"\n"
              "click \"Steps/random features\"\nwait\n"
              "check scene.attention.steps.by == \"features\"\n"
              "click \"Steps/softmax\"\nwait\n"
              "click \"Steps/whole matrix\"\nwait\n"
              "check scene.attention.steps.whole == true\n");
  CHECK(window.says("4. softmax of rows"));
}

TEST_CASE("A presentation steps through the computation, and the head stays", "[shell]") {
  Scene scene = stepsScene();
  TestWindow window(scene);
  window.play("key F5\nwait\nkey Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 1);
  for (int press = 0; press < 12; ++press)
    window.play("key Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 9);
  CHECK(window.scene().input.head == 0);
  CHECK(window.scene().pins.query == 2);
}

TEST_CASE("In a lesson the steps end where the lesson goes on, and it alone counts", "[shell]") {
  TestWindow window;
  window.bench().actions.run("lesson.open.0", window.bench());
  window.play("wait\n");
  CHECK_FALSE(window.says("Step 1 of 9"));
  window.play("key F5\nwait\ncheck scene.attention.steps.step == 1\n");
  CHECK(window.says("Query and keys: q and every k are rows of 2 numbers"));
  CHECK_FALSE(window.says("Step 1 of 9"));
  window.play("key Right\nwait\n"); // the answer, for the next step of the lesson goes on
  CHECK(window.bench().lesson->revealed);
  CHECK(window.scene().attention.steps.step == 1);
  window.play("key Right\nwait\n");
  CHECK(window.bench().lesson->step == 1);
  CHECK(window.scene().attention.steps.step == 2);
}

TEST_CASE("A lesson's arrows move the steps up to where its next step takes over", "[shell]") {
  TestWindow window;
  window.bench().actions.run("lesson.open.0", window.bench());
  window.play("wait\nkey F5\nwait\nkey PageDown\nkey PageDown\nkey PageDown\nkey PageDown\n"
              "key PageDown\nkey PageDown\nwait\n"); // answers and steps, up to the mask
  REQUIRE(window.bench().lesson->step == 3);
  CHECK(window.scene().attention.steps.step == 4);
  const SpeakerWords before = speakerWords(window.bench(), {});
  CHECK(before.within);
  REQUIRE(before.next);
  CHECK(before.next->scene.attention.steps.step == 5);
  window.play("key Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 5);
  const SpeakerWords behind = speakerWords(window.bench(), {});
  CHECK_FALSE(behind.within);
  CHECK(behind.next->title == "Subtract the maximum");
  window.play("key Right\nwait\n");
  CHECK(window.bench().lesson->revealed);
  window.play("key Right\nwait\n");
  CHECK(window.scene().attention.steps.step == 6);
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
  CHECK(window.says("k must be 2 numbers, such as 1, 0"));
}

TEST_CASE("Numbers of a typed input may have spaces between them, and a refusal is said below",
          "[shell]") {
  TestWindow window(stepsScene());
  const auto field = [&](const std::string& label) {
    const Widget* widget = window.app().log().find("Input/" + label);
    REQUIRE(widget);
    return widget->rect;
  };
  const Rect k = field("k 1");
  const Rect v = field("v 1");
  window.play("set \"Input/q 1\" \"1.5 -2\"\nwait\n");
  const auto& typed = std::get<TypedInput>(window.scene().input.source);
  CHECK(typed.q(1, 0) == 1.5);
  CHECK(typed.q(1, 1) == -2);
  for (const char* refused : {"abc", "1; 2; 3", "1, 2, 3", "1", "1 nan"}) {
    CAPTURE(refused);
    window.play("set \"Input/q 1\" \"" + std::string(refused) + "\"\nwait\n");
    CHECK(window.says("q must be 2 numbers, such as 1, 0"));
    CHECK(std::get<TypedInput>(window.scene().input.source).q(1, 0) == 1.5);
    CHECK(field("k 1").x0 == k.x0); // in one row with q still
    CHECK(field("v 1").x1 == v.x1);
    CHECK(field("k 1").y0 == field("q 1").y0);
    CHECK(field("v 1").y0 == field("q 1").y0);
  }
  window.play("set \"Input/q 1\" \"2,3\"\nwait\n");
  CHECK_FALSE(window.says("q must be 2 numbers, such as 1, 0"));
}

TEST_CASE("The slider of steps shows no step beyond the last", "[shown]") {
  Scene scene = stepsScene();
  scene.attention.steps.step = 6;
  TestWindow window(scene);
  window.play("check \"Steps/step\" value \"6\"\nclick \"Steps/linear attention\"\nwait\n");
  REQUIRE(window.results().part<StepsResults>().shown->count < 6);
  window.play("check \"Steps/step\" value \"all\"\n"
              "set \"Steps/step\" 100\nwait\ncheck \"Steps/step\" value \"all\"\n"
              "check scene.attention.steps.step == 0\n"
              "set \"Steps/step\" 2\nwait\ncheck \"Steps/step\" value \"2\"\n");
}

} // namespace
} // namespace attention::gui
