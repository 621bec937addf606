// The lesson that is going on: which step, and whether its answer is shown. Its steps are Scenes
// that replace the document's as edits of their own, so that everything can be tried in them and
// undone down to the step's beginning; leaving brings back the Scene from before, opening another
// one ends the lesson.
#pragma once

#include "core/scene/lessons.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace attention::gui {

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

} // namespace attention::gui
