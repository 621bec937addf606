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

TEST_CASE("A presented mask is as high as the slide allows with its image beside it", "[present]") {
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
  const Rect image = rectOf("View/Image");
  CHECK(matrix.y1 - matrix.y0 >= 580);
  CHECK(image.x0 > matrix.x1);
  CHECK(image.x1 <= rectOf("Present/place and time").x1 + 1);
}

} // namespace
} // namespace attention::gui
