// Questions with choices: digits and presses answer them, in the band over the view and in a
// presentation; otherwise digits switch views.
#include "app/gui/lessons/answer_choices.h"
#include "app/gui/lessons/lesson.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

// "Why full attention is quadratic", whose first question has three choices; the second is right.
constexpr std::size_t kQuadratic = 1;

void openAsked(TestWindow& window, bool presented) {
  openLesson(window.bench(), kQuadratic);
  window.settle();
  REQUIRE(lessonStep(window.bench())->choices.size() == 3);
  REQUIRE(lessonStep(window.bench())->correct == 2);
  if (presented)
    window.play("key F5\nwait\nframes 4\n");
}

// The words of the choice, and how it is marked.
std::string markOf(TestWindow& window, std::size_t number) {
  const std::string words = plainWords(lessonStep(window.bench())->choices.at(number - 1));
  for (const Widget& widget : window.app().log().widgets())
    if (widget.label == words && widget.kind == WidgetKind::Text)
      return widget.value;
  return "missing";
}

TEST_CASE("A digit answers a question with choices, then digits switch views again", "[lesson]") {
  const bool presented = GENERATE(false, true);
  TestWindow window;
  openAsked(window, presented);
  const std::string answer = plainWords(lessonStep(window.bench())->answer);
  CHECK_FALSE(window.says(answer));
  CHECK(markOf(window, 1).empty());
  window.play("key 1\nframes 3\n");
  CHECK(window.scene().view == View::Mask);
  CHECK(window.bench().lesson->revealed);
  CHECK(window.bench().lesson->chosen == 1);
  CHECK(window.says(answer));
  CHECK(markOf(window, 1) == "wrong, chosen");
  CHECK(markOf(window, 2) == "right");
  CHECK(markOf(window, 3).empty());
  window.play("key 2\nwait\nframes 2\n");
  CHECK(window.scene().view == View::Reach);
  CHECK(window.bench().lesson->chosen == 1);
}

TEST_CASE("A press on a choice answers the question", "[lesson]") {
  const bool presented = GENERATE(false, true);
  TestWindow window;
  openAsked(window, presented);
  window.play("click \"choice 2\"\nframes 3\n");
  CHECK(window.bench().lesson->revealed);
  CHECK(markOf(window, 2) == "right, chosen");
  CHECK_FALSE(window.shows("choice 1"));
}

TEST_CASE("1 … 4 belong to a question with choices, other digits and questions to the views",
          "[lesson]") {
  const bool presented = GENERATE(false, true);
  TestWindow window;
  openAsked(window, presented);
  window.play("key 4\nwait\n"); // it has three choices
  CHECK(window.scene().view == View::Mask);
  CHECK(asksQuestion(window.bench()));
  window.play("key 7\nwait\n");
  CHECK(window.scene().view == View::Encodings);
  CHECK(asksQuestion(window.bench()));
  moveInLesson(window.bench(), 1);
  window.settle();
  REQUIRE(lessonStep(window.bench())->choices.empty());
  window.play("key 2\nwait\n");
  CHECK(window.scene().view == View::Reach);
  CHECK(asksQuestion(window.bench()));
}

TEST_CASE("A question can be answered again where its answer was hidden or left", "[lesson]") {
  TestWindow window;
  openAsked(window, /*presented=*/false);
  window.play("key 3\nframes 3\nkey Alt+Down\nframes 3\n");
  CHECK(asksQuestion(window.bench()));
  CHECK(window.bench().lesson->chosen == 0);
  CHECK(window.shows("choice 3"));
  window.play("key 3\nframes 3\n");
  moveInLesson(window.bench(), 1);
  moveInLesson(window.bench(), -1);
  window.settle();
  CHECK(asksQuestion(window.bench()));
  CHECK(window.shows("choice 1"));
}

TEST_CASE("An answer without a choice marks the right one", "[lesson]") {
  TestWindow window;
  openAsked(window, /*presented=*/true);
  window.play("key Enter\nframes 3\n");
  CHECK(markOf(window, 2) == "right");
  CHECK(markOf(window, 1).empty());
}

TEST_CASE("What was chosen while presenting stays chosen", "[lesson]") {
  TestWindow window;
  openAsked(window, /*presented=*/true);
  window.play("key 1\nframes 3\nkey Esc\nwait\nframes 4\n");
  CHECK(window.bench().lesson->chosen == 1);
  CHECK(markOf(window, 1) == "wrong, chosen");
}

TEST_CASE("A digit only brings back a black screen", "[lesson]") {
  TestWindow window;
  openAsked(window, /*presented=*/true);
  window.play("key B\nframes 3\nkey 2\nframes 3\n");
  CHECK_FALSE(window.bench().present->blank);
  CHECK(asksQuestion(window.bench()));
}

TEST_CASE("A choice in the window is pressed by Tab and Enter too", "[lesson]") {
  TestWindow window;
  openAsked(window, /*presented=*/false);
  const auto focused = [&] {
    const Widget* choice = window.app().log().find("choice 2");
    return choice && choice->focused;
  };
  for (int k = 0; k < 100 && !focused(); ++k)
    window.play("key Tab\nframes 2\n");
  REQUIRE(focused());
  window.play("key Enter\nframes 3\n");
  CHECK(window.bench().lesson->chosen == 2);
}

// Where the words of the question and of its choices stand.
std::vector<Rect> placesOf(TestWindow& window) {
  std::vector<Rect> places;
  const LessonStep& step = *lessonStep(window.bench());
  for (const Widget& widget : window.app().log().widgets()) {
    const auto isChoice = [&](const std::string& choice) {
      return widget.label == plainWords(choice);
    };
    if (widget.kind == WidgetKind::Text &&
        (widget.label == plainWords(step.question) ||
         std::any_of(step.choices.begin(), step.choices.end(), isChoice)))
      places.push_back(widget.rect);
  }
  return places;
}

TEST_CASE("Answering moves neither the question nor its choices", "[lesson]") {
  const bool presented = GENERATE(false, true);
  TestWindow window;
  if (presented)
    window.play("key F5\nwait\nframes 4\n");
  std::size_t asked = 0;
  for (std::size_t lesson = 0; lesson < window.bench().lessons.size(); ++lesson)
    for (std::size_t step = 0; step < window.bench().lessons[lesson].steps.size(); ++step) {
      if (window.bench().lessons[lesson].steps[step].choices.empty())
        continue;
      openLesson(window.bench(), lesson);
      moveInLesson(window.bench(), static_cast<int>(step));
      window.settle();
      INFO(lessonStep(window.bench())->title);
      const std::vector<Rect> before = placesOf(window);
      CHECK(before.size() == lessonStep(window.bench())->choices.size() + 1);
      window.play("key 1\nframes 4\n");
      CHECK(placesOf(window) == before);
      ++asked;
    }
  CHECK(asked >= 9);
}

} // namespace
} // namespace attention::gui
