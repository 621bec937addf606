// What stands beside a presented mask.
#include "app/gui/present/present_stage.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/words.h"
#include "core/pattern/mechanism/causal.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

TEST_CASE("A presented mask has beside it what to look for", "[present]") {
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

TEST_CASE("A presented mask with ranks says how long they wait", "[present]") {
  Scene scene = smallScene();
  scene.pattern = Causal{};
  scene.mask.ranks.shown = true;
  TestWindow window(scene);
  window.play("key F5\nwait\nframes 4\n");
  const auto& widgets = window.app().log().widgets();
  CHECK(std::ranges::any_of(widgets, [](const Widget& widget) {
    return widget.scope == "Present" &&
           widget.label.find("The busiest rank has ") != std::string::npos;
  }));
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
  // The pixel under the pointer is the query, and a click pins it; the word button stays within
  // reach.
  window.play("click \"View/Present/Image\" at 0.1 0.1\nwait\nframes 3\n");
  CHECK(window.scene().pins.query == Index{0});
  const auto before = window.scene().camera;
  window.play("key =\nframes 3\n");
  CHECK_FALSE(window.scene().camera ==
              before); // keys go to the view as after a click on the matrix
  const auto focused = [&] { return window.app().log().find("View/Present/Image")->focused; };
  for (int k = 0; k < 12 && !focused(); ++k)
    window.play("key Tab\nframes 2\n");
  CHECK(focused());
  window.play("click \"Present/reveal ↵\"\nframes 3\n");
  CHECK(window.bench().lesson->revealed);
}

TEST_CASE("A presented step shows its title, its words and its question", "[present]") {
  TestWindow window;
  const auto lesson = GENERATE(std::size_t{0}, std::size_t{1});
  openLesson(window.bench(), lesson);
  window.play("key F5\nwait\nframes 4\n");
  std::size_t questions = 0;
  for (const LessonStep& step : window.bench().lessons[lesson].steps) {
    INFO(step.title);
    window.settle();
    CHECK(window.shows("Present/" + step.title));
    CHECK(window.shows("Present/" + plainWords(step.words)));
    if (!step.question.empty())
      CHECK(window.shows("Present/" + plainWords(step.question)));
    questions += step.question.empty() ? 0U : 1U;
    moveInLesson(window.bench(), 1);
  }
  CHECK(questions > 0);
}

TEST_CASE("Words and question above a picture are as high as the longer of both", "[present]") {
  Host host = Host::headless({"", 1440, 900, 1});
  host.setType(TypeFor::Presentation);
  const Theme theme = makeTheme(ThemeKind::Light);
  PresentWords said;
  said.beside = true;
  said.tiles = 3; // in a row below the words
  said.title = "Title";
  const bool asks = GENERATE(false, true);
  std::string& longer = asks ? said.question : said.words;
  for (int k = 0; k < 40; ++k)
    longer += "word ";
  (asks ? said.words : said.question) = "Short.";
  host.frame([&](const FrameInfo& info) {
    WidgetLog log;
    const Ui ui{log, theme, host.fonts(), info.scale};
    const Stage stage = stageOf(ui, said, {0, 0, info.width, info.height});
    REQUIRE(stage.above);
    const float half = (stage.head.x1 - stage.head.x0) / 2;
    ImFont* font = asks ? stage.question : stage.words;
    CHECK(stage.head.y1 - stage.head.y0 >=
          wrappedHeight(stage.title, said.title, 2 * half) + wrappedHeight(font, longer, half));
    CHECK(stage.picture.y0 >= stage.head.y1);
  });
}

} // namespace
} // namespace attention::gui
