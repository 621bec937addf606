#include "app/gui/lessons/lesson.h"

#include "app/gui/frame/workbench.h"
#include "core/input/assets.h"

namespace attention::gui {
namespace {

const Lesson& openedLesson(const Workbench& bench) {
  return bench.lessons[bench.lesson->lesson];
}

constexpr const char* kStepBegins = "step of the lesson";

// An edit of everything: the document's file and what is saved of it stay.
void show(Workbench& bench, const Scene& scene, const std::string& label) {
  bench.playing = false;
  bench.document.apply({label, [&scene](Scene& s) { s = scene; }});
}

void showStep(Workbench& bench, const std::string& label) {
  bench.lesson->touched = false;
  bench.lesson->begins = true;
  show(bench, lessonStep(bench)->scene, label);
}

} // namespace

const LessonStep* lessonStep(const Workbench& bench) {
  return bench.lesson ? &openedLesson(bench).steps[bench.lesson->step] : nullptr;
}

void openLesson(Workbench& bench, std::size_t index) {
  Scene before = bench.lesson ? bench.lesson->before : bench.document.scene();
  bench.lesson = OpenLesson{.lesson = index, .before = std::move(before)};
  showStep(bench, kStepBegins);
}

void moveInLesson(Workbench& bench, int by) {
  OpenLesson& at = *bench.lesson;
  const auto to = static_cast<std::ptrdiff_t>(at.step) + by;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(openedLesson(bench).steps.size()))
    return;
  at.step = static_cast<std::size_t>(to);
  at.revealed = false;
  showStep(bench, kStepBegins);
}

void restartStep(Workbench& bench) {
  showStep(bench, "restart the step"); // of which undo brings back what was tried
}

bool undoStaysInStep(const Workbench& bench) {
  return !bench.lesson || bench.document.undoLabel() != kStepBegins;
}

void leaveLesson(Workbench& bench) {
  const Scene before = bench.lesson->before;
  if (bench.lesson->unfolded && sidebarShown(bench))
    showSidebar(bench, false); // as it was
  bench.lesson.reset();
  show(bench, before, "leave the lesson");
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
