// What stands beside a presented mask.
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

TEST_CASE("A presented mask has beside it what is to be seen", "[present]") {
  TestWindow window;
  REQUIRE_FALSE(window.results().counts->reading.empty());
  const std::string reading = window.results().counts->reading.front();
  const auto isSaid = [&] {
    for (const Widget& widget : window.app().log().widgets())
      if (widget.scope == "Present" && widget.label.find(reading) != std::string::npos)
        return true;
    return false;
  };
  window.play("key F5\nwait\nframes 4\n");
  CHECK(isSaid());
  // A caption says what a figure shows; the picture then has the whole width.
  window.play("key Esc\nframes 3\n");
  Scene captioned = smallScene();
  captioned.title = "A title";
  captioned.caption = "Words of its own.";
  window.bench().document.open(captioned, "scene");
  window.play("key F5\nwait\nframes 4\n");
  CHECK_FALSE(isSaid());
  CHECK(window.shows("Present/Words of its own."));
}

TEST_CASE("A presented mask is as high as the slide allows, its image below the words",
          "[present]") {
  TestWindow window(smallScene(), {}, {}, 1440, 900);
  const auto& lessons = window.bench().lessons;
  const auto isOf = [](const Lesson& lesson) {
    return lesson.title == "Strided and fixed factorized attention";
  };
  const auto lesson = std::find_if(lessons.begin(), lessons.end(), isOf);
  REQUIRE(lesson != lessons.end());
  openLesson(window.bench(), static_cast<std::size_t>(lesson - lessons.begin()));
  moveInLesson(window.bench(), 2);
  window.settle();
  REQUIRE(window.scene().mask.image.shown);
  window.play("key F5\nwait\nframes 4\n");
  const auto rectOf = [&](const char* label) {
    const Widget* widget = window.app().log().find(label);
    REQUIRE(widget);
    return widget->rect;
  };
  const Rect matrix = rectOf("View/Mask");
  const Rect image = rectOf("View/Present/Image");
  const Rect reveal = rectOf("Present/reveal ↵");
  CHECK(matrix.y1 - matrix.y0 >= 580);
  CHECK(image.x1 < matrix.x0);
  CHECK(image.y0 > reveal.y1);
  CHECK(image.y1 - image.y0 >= 180);
  CHECK(image.y1 < rectOf("Present/place and time").y0);
  // A pixel pointed at is the query, and its press pins it; the word button stays in reach.
  window.play("click \"View/Present/Image\" at 0.1 0.1\nwait\nframes 3\n");
  CHECK(window.scene().pins.query == Index{0});
  const auto before = window.scene().camera;
  window.play("key =\nframes 3\n");
  CHECK_FALSE(window.scene().camera ==
              before); // keys are the view's as after a press of the matrix
  const auto focused = [&] { return window.app().log().find("View/Present/Image")->focused; };
  for (int k = 0; k < 12 && !focused(); ++k)
    window.play("key Tab\nframes 2\n");
  CHECK(focused());
  window.play("click \"Present/reveal ↵\"\nframes 3\n");
  CHECK(window.bench().lesson->revealed);
}

} // namespace
} // namespace attention::gui
