// What a lecture needs of lessons and presentations: the place that was reached, words that are
// about what is shown, keys that do what they say, controls that stay under the pointer.
#include "app/gui/lessons/lesson.h"
#include "core/pattern/mechanism/strided.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

std::size_t lessonNamed(TestWindow& window, const std::string& title) {
  const auto& lessons = window.bench().lessons;
  const auto found = std::find_if(lessons.begin(), lessons.end(),
                                  [&](const Lesson& lesson) { return lesson.title == title; });
  REQUIRE(found != lessons.end());
  return static_cast<std::size_t>(found - lessons.begin());
}

// At the step of that title.
void openStep(TestWindow& window, const std::string& lesson, const std::string& step) {
  openLesson(window.bench(), lessonNamed(window, lesson));
  while (lessonStep(window.bench())->title != step)
    moveInLesson(window.bench(), 1);
  window.settle();
}

const ShownFigure& figureNamed(TestWindow& window, const std::string& name) {
  const auto& figures = window.bench().figures;
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const ShownFigure& figure) { return figure.name == name; });
  REQUIRE(found != figures.end());
  return *found;
}

void showFigure(TestWindow& window, const ShownFigure& figure) {
  window.bench().document.apply({figure.title, [&](Scene& s) { s = figure.scene; }});
  window.settle();
}

Rect rectOf(TestWindow& window, const std::string& label) {
  const Widget* widget = window.app().log().find(label);
  REQUIRE(widget);
  return widget->rect;
}

TEST_CASE("Leaving a presentation keeps the place that was reached in the lesson", "[present]") {
  TestWindow window;
  const std::size_t lesson = lessonNamed(window, "Strided and fixed factorized attention");
  const bool begun = GENERATE(true, false); // before the presentation, or within it
  if (begun)
    openLesson(window.bench(), lesson);
  window.settle();
  const Scene before = begun ? window.bench().lesson->before : window.scene();
  window.play("key F5\nwait\nframes 4\n");
  if (!begun)
    openLesson(window.bench(), lesson);
  moveInLesson(window.bench(), 3);
  window.bench().lesson->revealed = true;
  window.play("wait\nkey Esc\nwait\nframes 4\n");
  REQUIRE(window.bench().lesson);
  CHECK(window.bench().lesson->step == 3);
  CHECK(window.bench().lesson->revealed);
  CHECK(window.scene() == lessonStep(window.bench())->scene);
  CHECK(window.shows("Lesson/" + lessonStep(window.bench())->title));
  window.bench().actions.run("lesson.leave", window.bench());
  CHECK(window.scene() == before);
}

TEST_CASE("What was tried in a step is still there after it was presented", "[present]") {
  TestWindow window;
  openStep(window, "Strided and fixed factorized attention", "Both heads");
  window.bench().document.apply({"n", [](Scene& s) { s.length.n = 49; }});
  const Scene tried = window.scene();
  window.play("key F5\nwait\nframes 4\nkey Enter\nframes 2\nkey Esc\nwait\nframes 4\n");
  CHECK(window.scene() == tried);
  CHECK(window.bench().lesson->revealed == !lessonStep(window.bench())->question.empty());
}

TEST_CASE("Space moves what the step says it moves", "[present]") {
  TestWindow window;
  const bool presented = GENERATE(true, false);
  const bool sorting = GENERATE(true, false);
  if (sorting)
    openStep(window, "Hashing and clustering", "Sorting by bucket");
  else
    openStep(window, "Local windows and receptive fields", "Four layers");
  REQUIRE(lessonStep(window.bench())->words.find("Space") != std::string::npos);
  if (presented)
    window.play("key F5\nwait\nframes 4\n");
  else
    window.play("click \"◀ back\"\nwait\nclick \"next ▶\"\nwait\n"); // the pointer has pressed
  const bool asked = asksQuestion(window.bench());
  const Scene still = window.scene();
  window.play("key Space\nframes 8\n");
  CHECK(window.bench().playing);
  CHECK_FALSE(window.scene() == still);
  CHECK(asksQuestion(window.bench()) == asked); // the answer waits for Enter
  CHECK(window.bench().lesson->step == (sorting ? 3 : 2));
}

TEST_CASE("A figure that is opened within a lesson has its own words", "[present]") {
  TestWindow window;
  openStep(window, "Local windows and receptive fields", "Dilation");
  const LessonStep step = *lessonStep(window.bench());
  const ShownFigure& figure = figureNamed(window, "wavenet-2016-fig3");
  showFigure(window, figure);
  CHECK_FALSE(speakingStep(window.bench()));
  CHECK(window.shows("Lesson/" + figure.title));
  CHECK_FALSE(window.shows("Lesson/" + step.title));
  CHECK_FALSE(window.shows("reveal"));
  window.play("key F5\nwait\nframes 4\n");
  CHECK(window.shows("Present/" + figure.title));
  CHECK(window.shows("Present/" + figure.scene.caption));
  CHECK(window.says(figure.scene.source));
  CHECK_FALSE(window.says(plainWords(step.words)));
  // Either way leads back to the step and then onwards.
  window.play(std::string("key ") + GENERATE("Right", "Left", "PageDown") + "\nwait\nframes 3\n");
  CHECK(window.scene() == step.scene);
  CHECK(window.shows("Present/" + step.title));
  window.play("key Esc\nwait\nframes 4\n");
  showFigure(window, figure);
  window.play("click \"Lesson/back to the step\"\nwait\n");
  CHECK(window.scene() == step.scene);
  CHECK(window.shows("Lesson/" + step.title));
}

TEST_CASE("The source line names what is shown", "[present]") {
  TestWindow window;
  const auto sourceOf = [&] {
    window.play("key F5\nwait\nframes 4\n");
    std::string all;
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "Present")
        all += widget.label + "\n";
    window.play("key Esc\nwait\nframes 3\n");
    return all;
  };
  const auto holds = [](const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  Scene scene = smallScene();
  Strided strided;
  strided.stride = 7;
  scene.pattern = strided;
  window.bench().document.open(scene, "scene");
  const std::string mask = sourceOf();
  holds(mask, "Child et al. 2019");
  holds(mask, "stride 7");
  holds(mask, "n = 64");
  scene.view = View::Kernels;
  window.bench().document.open(scene, "scene");
  const std::string kernels = sourceOf();
  holds(kernels, "Choromanski et al. 2021");
  holds(kernels, "L = 32, d = ");
  holds(kernels, "m = 8");
  scene.view = View::Attention;
  scene.input = aliceScene().input;
  scene.length.n = 32;
  window.bench().document.open(scene, "scene");
  holds(sourceOf(), "all-MiniLM-L6-v2, layer 2, head 3");
  openStep(window, "Strided and fixed factorized attention", "Both heads");
  const std::string step = sourceOf();
  holds(step, "Child et al. 2019");
  holds(step, "n = 36");
}

TEST_CASE("The buttons of a lesson stay under the pointer from step to step", "[shell]") {
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  TestWindow window(smallScene(), {}, {}, width, height);
  for (std::size_t lesson = 0; lesson < window.bench().lessons.size(); ++lesson) {
    openLesson(window.bench(), lesson);
    window.settle();
    const Rect next = rectOf(window, "next ▶");
    const Rect back = rectOf(window, "◀ back");
    for (std::size_t step = 1; step < window.bench().lessons[lesson].steps.size(); ++step) {
      window.play("click \"next ▶\"\nwait\nframes 3\n");
      INFO(lessonStep(window.bench())->title);
      CHECK(window.bench().lesson->step == step);
      CHECK(rectOf(window, "next ▶") == next);
      CHECK(rectOf(window, "◀ back") == back);
    }
  }
}

TEST_CASE("What stands below the cell in the inspector does not move when the pointer leaves",
          "[shell]") {
  Scene scene = smallScene();
  scene.pins = {};
  TestWindow window(scene);
  window.play("move 0 0\nframes 3\nmove \"View/Mask\" at 0.3 0.6\nwait\nframes 3\n");
  const auto costAt = [&] { return rectOf(window, "pairs").y0; };
  const float over = costAt();
  window.play("move 1300 850\nframes 4\n");
  CHECK(costAt() == over);
}

TEST_CASE("Read this is about the pinned query", "[present]") {
  Scene scene = smallScene();
  scene.pins.query = 20;
  TestWindow window(scene);
  const auto first = [&] {
    REQUIRE_FALSE(window.results().counts->reading.empty());
    return window.results().counts->reading.front();
  };
  CHECK(first().rfind("Query 20 ", 0) == 0);
  CHECK(window.says(first()));
  window.bench().document.setPins({Index{41}, {}});
  window.settle();
  CHECK(first().rfind("Query 41 ", 0) == 0);
  const std::vector<std::string> pinned = window.results().counts->reading;
  window.bench().document.setPins({});
  window.settle();
  CHECK(first().rfind("Query 63 ", 0) == 0); // the last one of a causal mask
  CHECK(window.results().counts->reading.size() == pinned.size());
  window.bench().document.setPins({Index{41}, {}});
  window.play("key F5\nwait\nframes 4\n");
  CHECK(window.says(pinned.front()));
}

} // namespace
} // namespace attention::gui
