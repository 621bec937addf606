#include "app/gui/files/exporting.h"
#include "app/gui/frame/workbench.h"

namespace attention::gui {
namespace {

bool goesOn(const Workbench& bench) {
  return bench.lesson.has_value();
}

} // namespace

void addLessonActions(ActionTable& table) {
  const auto alt = [](Key key) { return Chord{key, false, false, true}; };
  table.add({"lesson.next",
             "Lessons",
             "Next step",
             "The next step of the lesson",
             {alt(Key::Right)},
             [](Workbench& b) { moveInLesson(b, 1); },
             goesOn,
             {},
             true});
  table.add({"lesson.back",
             "Lessons",
             "Step back",
             "The previous step of the lesson",
             {alt(Key::Left)},
             [](Workbench& b) { moveInLesson(b, -1); },
             goesOn});
  table.add({"lesson.reveal",
             "Lessons",
             "Reveal the answer",
             "Show or hide the answer to the step's question",
             {alt(Key::Down)},
             [](Workbench& b) { revealAnswer(b, !b.lesson->revealed); },
             goesOn,
             [](const Workbench& b) { return b.lesson && b.lesson->revealed; }});
  table.add({"lesson.restart",
             "Lessons",
             "Start the step over",
             "Reset the step's scene, whatever you have changed in it",
             {},
             restartStep,
             goesOn});
  table.add({"lesson.export",
             "Lessons",
             "Export the lesson…",
             "A web page of the lesson's steps, with their questions and answers",
             {},
             askLessonPage,
             goesOn});
  table.add({"lesson.leave",
             "Lessons",
             "Leave the lesson",
             "Back to the scene from before the lesson",
             {},
             leaveLesson,
             goesOn});
}

} // namespace attention::gui
