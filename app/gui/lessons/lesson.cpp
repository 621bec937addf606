#include "app/gui/lessons/lesson.h"

#include "app/gui/frame/workbench.h"
#include "core/input/assets.h"
#include "core/views/scene_words.h"

#include <utility>

namespace attention::gui {
namespace {

const Lesson& openedLesson(const Workbench& bench) {
  return bench.lessons[bench.lesson->lesson];
}

void showStep(Workbench& bench, const std::string& label, bool begins) {
  bench.playing = false;
  bench.lesson->touched = false;
  bench.lesson->begins = true;
  bench.document.show(lessonStep(bench)->scene, label, begins);
}

void beginStep(Workbench& bench) {
  showStep(bench, "step of the lesson", true);
}

} // namespace

const LessonStep* lessonStep(const Workbench& bench) {
  return bench.lesson ? &openedLesson(bench).steps[bench.lesson->step] : nullptr;
}

const Scene* nextLessonScene(const Workbench& bench) {
  if (!bench.lesson || bench.lesson->step + 1 >= openedLesson(bench).steps.size())
    return nullptr;
  return &openedLesson(bench).steps[bench.lesson->step + 1].scene;
}

const LessonStep* speakingStep(const Workbench& bench) {
  const LessonStep* step = lessonStep(bench);
  const std::string title = writtenTitle(bench.document.scene());
  return step && (title.empty() || title == step->scene.title) ? step : nullptr;
}

void openLesson(Workbench& bench, std::size_t index) {
  Scene before = bench.lesson ? bench.lesson->before : bench.document.scene();
  bench.lesson = OpenLesson{.lesson = index, .before = std::move(before)};
  beginStep(bench);
}

void moveInLesson(Workbench& bench, int by) {
  OpenLesson& at = *bench.lesson;
  const auto to = static_cast<std::ptrdiff_t>(at.step) + by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(openedLesson(bench).steps.size()))
    return;
  at.step = static_cast<std::size_t>(to);
  revealAnswer(bench, false);
  beginStep(bench);
}

void restartStep(Workbench& bench) {
  showStep(bench, "restart the step", false); // undo brings back what was tried
}

void revealAnswer(Workbench& bench, bool shown) {
  bench.lesson->revealed = shown;
  bench.lesson->chosen = 0;
}

bool asksQuestion(const Workbench& bench) {
  const LessonStep* step = speakingStep(bench);
  return step && !step->question.empty() && !bench.lesson->revealed;
}

bool offersChoices(const Workbench& bench) {
  return asksQuestion(bench) && !lessonStep(bench)->choices.empty();
}

void chooseAnswer(Workbench& bench, Index number) {
  if (number > std::ssize(lessonStep(bench)->choices))
    return;
  revealAnswer(bench, true);
  bench.lesson->chosen = number;
}

bool undoStaysInStep(const Workbench& bench) {
  return !bench.lesson || !bench.document.undoesBeginning();
}

void leaveLesson(Workbench& bench) {
  const Scene before = bench.lesson->before;
  if (bench.lesson->unfolded && sidebarShown(bench))
    showSidebar(bench, false); // as it was
  bench.lesson.reset();
  bench.playing = false;
  bench.document.show(before, "leave the lesson");
}

void resumeLesson(Workbench& bench, const OpenLesson& place) {
  const bool shown =
      bench.lesson && bench.lesson->lesson == place.lesson && bench.lesson->step == place.step;
  if (!bench.lesson)
    bench.lesson = OpenLesson{.before = bench.document.scene()};
  bench.lesson->lesson = place.lesson;
  bench.lesson->step = place.step;
  bench.lesson->revealed = place.revealed;
  bench.lesson->chosen = place.chosen;
  if (!shown)
    beginStep(bench);
}

void startReadingLessons(Workbench& bench) {
  bench.tasks.start("reading the lessons", [](const Run&) -> Finish {
    return [lessons = readLessons(assetFolder())](Workbench& b) {
      b.lessons = lessons;
      for (std::size_t k = 0; k < lessons.size(); ++k)
        b.actions.add({"lesson.open." + std::to_string(k),
                       "Lessons",
                       lessons[k].title,
                       lessons[k].summary,
                       {},
                       [k](Workbench& w) { openLesson(w, k); },
                       {},
                       [k](const Workbench& w) { return w.lesson && w.lesson->lesson == k; }});
      addLessonActions(b.actions);
    };
  });
}

} // namespace attention::gui
