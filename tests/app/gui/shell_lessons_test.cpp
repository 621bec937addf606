// Lessons in the whole window: what a step points at is there.
#include "tests/app/gui/shell_window.h"

namespace attention::gui {
namespace {

// The step that is shown points at a control that can be used, and the control is in sight.
void checkControl(TestWindow& window) {
  const std::string& control = lessonStep(window.bench())->control;
  if (control.empty())
    return;
  INFO(lessonStep(window.bench())->title << " points at " << control);
  const Widget* widget = window.app().log().find(control);
  REQUIRE(widget);
  CHECK(widget->kind != WidgetKind::Text);
  CHECK(widget->enabled);
  CHECK(widget->visible);
}

void goThrough(TestWindow& window, std::size_t lesson) {
  window.bench().actions.run("lesson.open." + std::to_string(lesson), window.bench());
  const std::size_t steps = window.bench().lessons.at(lesson).steps.size();
  for (std::size_t step = 0; step < steps; ++step) {
    window.settle();
    window.play("frames 3\n"); // it is scrolled into sight
    checkControl(window);
    CHECK(window.says(lessonStep(window.bench())->title));
    window.play("key Alt+Right\nframes 3\n");
  }
}

TEST_CASE("What a step of a lesson points at is on the screen", "[shell]") {
  TestWindow window;
  for (std::size_t k = 0; k < window.bench().lessons.size(); ++k) {
    INFO(window.bench().lessons[k].title);
    goThrough(window, k);
  }
  CHECK(window.bench().lessons.size() >= 6);
}

TEST_CASE("In a small window the control of a step is scrolled into sight until somebody scrolls",
          "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 400);
  std::size_t hashing = 0;
  while (window.bench().lessons.at(hashing).title != "Hashing and clustering")
    ++hashing;
  goThrough(window, hashing);
  window.bench().actions.run("lesson.open." + std::to_string(hashing), window.bench());
  moveInLesson(window.bench(), 2); // the rule of the own key: the last of many parameters
  window.settle();
  window.play("frames 3\n");
  checkControl(window);
  window.play("scroll 100 300 40\nframes 6\n");
  const Widget* widget = window.app().log().find(lessonStep(window.bench())->control);
  REQUIRE(widget);
  CHECK_FALSE(widget->visible); // whoever scrolls it away has it away
}

} // namespace
} // namespace attention::gui
