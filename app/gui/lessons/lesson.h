// The lesson that is going on: which step, and whether its answer is shown. Its steps are Scenes
// that replace the document's as edits of their own, so that everything can be tried in them and
// undone down to the step's beginning; leaving brings back the Scene from before, opening another
// one ends the lesson.
#pragma once

#include "core/scene/lessons.h"

#include <cstddef>

namespace attention::gui {

struct PanelContext;
struct Rect;
struct Ui;

struct Workbench;

struct OpenLesson {
  std::size_t lesson = 0; // of the Workbench's lessons
  std::size_t step = 0;
  bool revealed = false;
  bool touched = false; // somebody pressed or scrolled in the step: its control may leave the sight
  bool begins = true;   // the step has not been drawn yet
  bool unfolded = false; // the sidebar was, for a step's control, until the lesson is left
  Scene before;
};

// The step that is shown, or null.
const LessonStep* lessonStep(const Workbench& bench);

// Shows the first step of lesson `index`.
void openLesson(Workbench& bench, std::size_t index);
// `by` steps on (back where negative), if there are so many.
void moveInLesson(Workbench& bench, int by);
// The step's Scene as it was, whatever was tried in it.
void restartStep(Workbench& bench);
void leaveLesson(Workbench& bench);
// False where undo would take the step's own Scene away from below its words.
bool undoStaysInStep(const Workbench& bench);

// Reads the lessons as a task, then adds their actions: to open each, and to go through it.
void startReadingLessons(Workbench& bench);

// The step that is shown, while its words speak of what is shown; null where a figure or a saved
// scene with a title was opened within the step, which then says its own.
const LessonStep* speakingStep(const Workbench& bench);

// Goes to the place that somebody has reached elsewhere; a step that is shown already stays as it
// is, with all that was tried in it.
void resumeLesson(Workbench& bench, const OpenLesson& place);

// ---- the band over the view: the step's words, its question, and the way to the next ----

// Points that the band takes over a view of `width`; 0 where no lesson goes on. At most `most`: its
// words scroll then.
float lessonHeight(const Workbench& bench, const Ui& ui, float width, float most);

void drawLesson(const Workbench& bench, const PanelContext& context, const Rect& area);

// A frame around the control that the step is about; it is scrolled into sight
// until somebody presses or scrolls.
void drawLessonControl(Workbench& bench, const Ui& ui);

// Unfolds the sidebar, once a lesson, where a step is about a control that is not on the screen.
void unfoldForLesson(Workbench& bench, const Ui& ui);

} // namespace attention::gui
