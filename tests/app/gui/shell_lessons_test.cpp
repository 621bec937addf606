// Lessons in the whole window: what a step points at is there.
#include "tests/app/gui/shell_window.h"

#include <algorithm>
#include <map>

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
  CHECK(wholeInSight(*widget));
}

// Pictures of the view are in sight without scrolling; those of Compare are too many for that.
void checkPicturesWhole(TestWindow& window) {
  if (window.scene().view == View::Compare)
    return;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.kind == WidgetKind::Canvas && widget.scope.rfind("View", 0) == 0) {
      INFO(lessonStep(window.bench())->title << ": " << widget.label);
      CHECK(widget.grip == widget.rect);
    }
}

void goThrough(TestWindow& window, std::size_t lesson, bool whole) {
  window.bench().actions.run("lesson.open." + std::to_string(lesson), window.bench());
  const std::size_t steps = window.bench().lessons.at(lesson).steps.size();
  for (std::size_t step = 0; step < steps; ++step) {
    window.settle();
    window.play("frames 3\n"); // it is scrolled into sight
    checkControl(window);
    CHECK(window.says(lessonStep(window.bench())->title));
    CHECK(overlappingWords(window).empty());
    if (whole)
      checkPicturesWhole(window);
    window.play("key Alt+Right\nframes 3\n");
  }
}

TEST_CASE("What a step of a lesson shows and points at is on the screen", "[shell]") {
  const auto [width, height] = GENERATE(std::pair(1440, 900), std::pair(1024, 640));
  TestWindow window(smallScene(), {}, {}, width, height);
  for (std::size_t k = 0; k < window.bench().lessons.size(); ++k) {
    INFO(window.bench().lessons[k].title);
    goThrough(window, k, /*whole=*/true);
  }
  CHECK(window.bench().lessons.size() >= 6);
}

TEST_CASE("What is tried in a step is undone back to its beginning and no further", "[shell]") {
  TestWindow window;
  window.bench().actions.run("lesson.open.2", window.bench());
  window.play("key Alt+Right\nframes 2\nkey Alt+Right\nwait\n");
  const Scene begun = window.scene();
  CHECK(begun == lessonStep(window.bench())->scene);
  window.bench().document.apply({"n", [](Scene& s) { s.length.n = 49; }});
  window.bench().document.apply({"n again", [](Scene& s) { s.length.n = 64; }});
  for (int k = 0; k < 5; ++k)
    window.play("key Ctrl+Z\nframes 2\n");
  CHECK(window.scene() == begun);
  window.play("key Ctrl+Shift+Z\nframes 2\n");
  CHECK(window.scene().length.n == 49);
  window.bench().actions.run("lesson.restart", window.bench()); // too early
  CHECK(window.scene() == begun);
  window.play("key Ctrl+Z\nframes 2\n");
  CHECK(window.scene().length.n == 49);
  window.bench().actions.run("lesson.leave", window.bench());
  window.settle();
  CHECK(window.scene() == smallScene());
  window.play("key Ctrl+Z\nframes 2\n"); // of leaving
  CHECK(window.scene().length.n == 49);
}

TEST_CASE("Undo ends at the beginning of a step that shows the same as the step before",
          "[shell]") {
  TestWindow window;
  window.bench().actions.run("lesson.open.1", window.bench());
  moveInLesson(window.bench(), 2);
  const Scene begun = window.scene();
  window.bench().document.apply({"n", [](Scene& s) { s.length.n = 49; }});
  const bool undone = GENERATE(false, true);
  if (undone)
    window.play("key Ctrl+Z\nframes 2\n");
  else
    window.bench().actions.run("lesson.restart", window.bench());
  moveInLesson(window.bench(), 1);
  REQUIRE(lessonStep(window.bench())->scene == begun);
  window.play("key Ctrl+Z\nframes 2\n");
  CHECK(window.scene() == begun);
  window.play("key Ctrl+Shift+Z\nframes 2\n");
  CHECK(window.scene() == begun);
}

TEST_CASE("A narrow window unfolds the sidebar that a step of a lesson is about", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 512, 400);
  REQUIRE(window.bench().lessons.at(1).title == "Why full attention is quadratic");
  goThrough(window, 1, /*whole=*/false);
  REQUIRE(sidebarShown(window.bench()));
  window.play("key [\nframes 5\nkey Alt+Left\nframes 10\nkey Alt+Left\nframes 10\n");
  CHECK_FALSE(sidebarShown(window.bench())); // once folded by the user it stays folded
}

TEST_CASE(
    "In a small window the control of a step stays scrolled into sight until the user scrolls",
    "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 400);
  std::size_t hashing = 0;
  while (window.bench().lessons.at(hashing).title != "Hashing and clustering")
    ++hashing;
  goThrough(window, hashing, /*whole=*/false);
  window.bench().actions.run("lesson.open." + std::to_string(hashing), window.bench());
  moveInLesson(window.bench(), 2); // the rule of the own key: the last of many parameters
  window.settle();
  window.play("frames 3\n");
  checkControl(window);
  window.play("scroll 100 300 40\nframes 6\n");
  const Widget* widget = window.app().log().find(lessonStep(window.bench())->control);
  REQUIRE(widget);
  CHECK_FALSE(widget->visible); // once scrolled away by the user it stays away
}

// Where the controls of the view lie.
std::map<std::string, float> topsInView(TestWindow& window) {
  std::map<std::string, float> tops;
  for (const Widget& widget : window.app().log().widgets())
    if (widget.scope.rfind("View", 0) == 0)
      tops[widget.scope + "/" + widget.label] = widget.rect.y0;
  return tops;
}

TEST_CASE("A lesson step and a figure begin at the top of the view", "[shell]") {
  TestWindow window(smallScene(), {}, {}, 1024, 400);
  std::size_t receptive = 0;
  while (window.bench().lessons.at(receptive).title != "Local windows and receptive fields")
    ++receptive;
  window.bench().actions.run("lesson.open." + std::to_string(receptive), window.bench());
  moveInLesson(window.bench(), 2);
  window.settle();
  const auto fresh = topsInView(window);
  moveInLesson(window.bench(), -1);
  window.settle();
  const auto before = topsInView(window);
  window.play("scroll \"View/Layers\" -20\nframes 6\n");
  REQUIRE(topsInView(window) != before); // the view scrolls
  moveInLesson(window.bench(), 1);
  window.settle();
  CHECK(topsInView(window) == fresh);

  leaveLesson(window.bench());
  const auto figure = [&](const std::string& name) {
    const auto& figures = window.bench().figures;
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const ShownFigure& f) { return f.name == name; });
    REQUIRE(found != figures.end());
    window.bench().document.apply({"figure", [&](Scene& s) { s = found->scene; }});
    window.settle();
  };
  figure("child-2019-reach-fixed");
  const auto there = topsInView(window);
  figure("child-2019-reach-strided");
  window.play("scroll \"View/Layers\" -20\nframes 6\n");
  figure("child-2019-reach-fixed");
  CHECK(topsInView(window) == there);
}

} // namespace
} // namespace attention::gui
