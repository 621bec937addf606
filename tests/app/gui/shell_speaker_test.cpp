// The speaker's view: what it tells, its keys, and how it opens and closes beside a presentation.
#include "app/gui/present/speaker_view.h"
#include "tests/app/gui/shell_window.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr std::size_t kQuadratic = 1;

// A presentation of the lesson with the speaker's view beside it.
void present(TestWindow& window) {
  openLesson(window.bench(), kQuadratic);
  window.settle();
  window.play("key F5\nwait\nframes 4\nkey Shift+F5\nframes 4\nwait\n");
  window.settle();
  REQUIRE(window.bench().present);
  REQUIRE(window.speaker().isOpen());
}

// Pressed in the speaker's window.
void press(TestWindow& window, const std::string& chord) {
  window.speaker().events().pushChord(*parseChord(chord));
  for (int k = 0; k < 12; ++k)
    window.frame();
  window.settle();
}

const Widget* shown(TestWindow& window, const std::string& label) {
  return window.speaker().log().find(label);
}

TEST_CASE("The speaker's view tells the step, the next one, the notes and the answer",
          "[speaker]") {
  TestWindow window(smallScene(), {}, {}, 1440, 900, 14 * 60 + 5);
  present(window);
  const Lesson& lesson = window.bench().lessons[kQuadratic];
  const LessonStep& step = lesson.steps.at(0);
  const SpeakerWords said = speakerWords(window.bench(), 14 * 60 + 5);
  CHECK(said.place == lesson.title + " · 1 of " + std::to_string(lesson.steps.size()));
  CHECK(said.now.title == step.title);
  CHECK(said.now.scene == window.scene());
  REQUIRE(said.next);
  CHECK(said.next->title == lesson.steps.at(1).title);
  CHECK(said.next->scene == lesson.steps.at(1).scene);
  CHECK(said.notes == plainWords(step.notes));
  CHECK(said.question == plainWords(step.question));
  CHECK(said.answer == plainWords(step.answer));
  CHECK_FALSE(said.revealed);
  CHECK(said.clock == "14:05");
  for (const std::string& words :
       {said.place, said.now.title, said.next->title, said.notes, said.question, said.answer}) {
    INFO(words);
    CHECK(shown(window, words));
  }
  REQUIRE(shown(window, "time"));
  CHECK(shown(window, "time")->value == "14:05");
  CHECK(shown(window, "picture: now"));
  CHECK(shown(window, "picture: next"));
  CHECK_FALSE(window.says(said.notes)); // the audience does not see them
}

TEST_CASE("The speaker's view follows the presentation and its keys lead it", "[speaker]") {
  TestWindow window;
  present(window);
  window.host().events().push(FocusEvent{false}); // the speaker's window has the keyboard
  press(window, "2");
  CHECK(window.bench().lesson->chosen == 2);
  CHECK(window.scene().view == View::Mask);
  CHECK(speakerWords(window.bench(), {}).revealed);
  press(window, "Right");
  CHECK(window.bench().lesson->step == 1);
  CHECK(shown(window, lessonStep(window.bench())->title));
  press(window, "PageUp");
  CHECK(window.bench().lesson->step == 0);
  press(window, "B");
  CHECK(window.bench().present->blank);
  CHECK(speakerWords(window.bench(), {}).black);
  CHECK(shown(window, "NOW: THE SCREEN IS BLACK"));
  press(window, "Right");
  CHECK_FALSE(window.bench().present->blank);
  press(window, "Esc");
  CHECK_FALSE(window.bench().present);
  CHECK_FALSE(window.speaker().isOpen());
}

TEST_CASE("Closing the speaker's view leaves the presentation running", "[speaker]") {
  TestWindow window;
  present(window);
  const bool byKey = GENERATE(true, false);
  if (byKey)
    window.play("key Shift+F5\nframes 3\n");
  else
    window.speaker().close();
  window.play("frames 3\n");
  CHECK(window.bench().present);
  CHECK_FALSE(window.speaker().isOpen());
  window.play("key Right\nframes 3\n"); // its contexts are current again
  CHECK(window.bench().lesson->revealed);
  window.play("key Shift+F5\nframes 4\nwait\n");
  CHECK(window.speaker().isOpen());
}

TEST_CASE("The speaker's view begins a presentation where there is none", "[speaker]") {
  TestWindow window;
  window.play("key Shift+F5\nwait\nframes 4\n");
  CHECK(window.bench().present);
  CHECK(window.host().fullScreen());
  REQUIRE(window.speaker().isOpen());
  const SpeakerWords said = speakerWords(window.bench(), {});
  CHECK(said.place.empty());
  CHECK(said.now.title == "Mask: Strided");
  CHECK_FALSE(said.next);
  CHECK(said.end == "→ goes on within the view.");
  CHECK(said.clock.empty());
  CHECK(shown(window, "There are no notes on this picture."));
  const ActionEntry* action = window.bench().actions.find("view.speaker");
  REQUIRE(action);
  CHECK(action->isChecked(window.bench()));
  window.play("key F5\nframes 4\n");
  CHECK_FALSE(window.speaker().isOpen());
  CHECK_FALSE(action->isChecked(window.bench()));
  window.play("key F5\nframes 4\n"); // the next one begins without
  CHECK_FALSE(window.speaker().isOpen());
}

TEST_CASE("The last step has no next one and a figure within a step leads back to it",
          "[speaker]") {
  TestWindow window;
  present(window);
  const auto& steps = window.bench().lessons[kQuadratic].steps;
  moveInLesson(window.bench(), static_cast<int>(steps.size()) - 1);
  CHECK_FALSE(speakerWords(window.bench(), {}).next);
  CHECK(speakerWords(window.bench(), {}).end == "This is the last step of the lesson.");
  const ShownFigure figure = window.bench().figures.at(0);
  window.bench().document.apply({figure.title, [&](Scene& s) { s = figure.scene; }});
  window.settle();
  const SpeakerWords said = speakerWords(window.bench(), {});
  CHECK(said.now.title == figure.title);
  CHECK(said.notes == figure.scene.caption);
  CHECK(said.question.empty());
  REQUIRE(said.next);
  CHECK(said.next->title == steps.back().title);
  CHECK(shown(window, figure.title));
}

TEST_CASE("The figures of a paper follow one another in the speaker's view", "[speaker]") {
  TestWindow window;
  const auto& figures = window.bench().figures;
  const auto first = std::find_if(figures.begin(), figures.end(), [](const ShownFigure& f) {
    return f.name == "mistral-2023-context";
  });
  REQUIRE(first != figures.end());
  window.bench().document.open(first->scene, "figure");
  window.play("key Shift+F5\nwait\nframes 4\n");
  SpeakerWords said = speakerWords(window.bench(), {});
  CHECK(said.place == "1 of 2");
  CHECK(said.notes == first->scene.caption);
  REQUIRE(said.next);
  CHECK(said.next->title == (first + 1)->title);
  window.play("key PageDown\nwait\nframes 4\n");
  said = speakerWords(window.bench(), {});
  CHECK_FALSE(said.next);
  CHECK(said.end == "This is the paper's last figure.");
}

TEST_CASE("The time runs from the beginning of the presentation", "[speaker]") {
  CHECK(elapsedText(0) == "0:00");
  CHECK(elapsedText(59.9) == "0:59");
  CHECK(elapsedText(60) == "1:00");
  CHECK(elapsedText(12 * 60 + 41) == "12:41");
  CHECK(elapsedText(3600) == "1:00:00");
  CHECK(elapsedText(3600 + 2 * 60 + 3) == "1:02:03");
  TestWindow window;
  window.play("frames 90\n");
  window.play("key Shift+F5\nframes 3\n");
  CHECK(speakerWords(window.bench(), {}).elapsed == "0:00");
  const double before = window.bench().present->elapsed;
  for (int k = 0; k < 120; ++k)
    window.frame();
  CHECK(window.bench().present->elapsed - before == Approx(2).margin(1e-6));
  REQUIRE(shown(window, "since the beginning"));
  CHECK(shown(window, "since the beginning")->value ==
        elapsedText(window.bench().present->elapsed));
  window.play("key Esc\nframes 3\nkey F5\nframes 3\n");
  CHECK(window.bench().present->elapsed < 1);
}

TEST_CASE("The audience's picture is the same with the speaker's view beside it", "[speaker]") {
  TestWindow window;
  openLesson(window.bench(), kQuadratic);
  window.play("key F5\nwait\nframes 6\n");
  const gl::Pixels alone = window.host().pixels();
  window.play("key Shift+F5\nwait\nframes 6\n");
  window.settle();
  CHECK(samePicture(window.host().pixels(), alone));
  const gl::Pixels speaker = window.speaker().pixels();
  CHECK(speaker.width == 1200);
  CHECK_FALSE(std::all_of(speaker.rgba.begin(), speaker.rgba.end(),
                          [&](std::uint8_t v) { return v == speaker.rgba.front(); }));
  CHECK(samePicture(window.host().pixels(), alone)); // its contexts are current again
}

TEST_CASE("Short notes are in large type", "[speaker]") {
  TestWindow window;
  present(window);
  window.speaker().resize(1200, 760);
  window.settle();
  const Widget* notes = shown(window, speakerWords(window.bench(), {}).notes);
  REQUIRE(notes);
  CHECK(notes->rect.y1 <= 760);
  CHECK(notes->rect.y1 - notes->rect.y0 > 0.5F * (760 - notes->rect.y0));
}

TEST_CASE("The words of every step fit the speaker's view", "[speaker]") {
  const auto [width, height] =
      GENERATE(std::pair(1200, 760), std::pair(1024, 640), std::pair(1920, 1080));
  TestWindow window;
  present(window);
  window.speaker().resize(width, height);
  window.settle();
  for (std::size_t lesson = 0; lesson < window.bench().lessons.size(); ++lesson) {
    openLesson(window.bench(), lesson);
    for (std::size_t step = 0; step < window.bench().lessons[lesson].steps.size(); ++step) {
      INFO(lessonStep(window.bench())->title << " at " << width);
      window.play("frames 3\n");
      const SpeakerWords said = speakerWords(window.bench(), {});
      CHECK_FALSE(said.notes.empty());
      for (const std::string& words : {said.notes, said.answer}) {
        const Widget* widget = shown(window, words);
        REQUIRE(widget);
        CHECK(wholeInSight(*widget));
      }
      moveInLesson(window.bench(), 1);
    }
  }
}

} // namespace
} // namespace attention::gui
