// The current lesson: which step, whether its answer is shown, and which choice was made. Its steps
// are Scenes that replace the document's as edits, so everything can be tried in them and undone
// back to the start of the step; leaving brings back the Scene from before, and opening another one
// ends the lesson.
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
  Index chosen = 0;      // of the question's choices, from 1; 0: none
  bool touched = false;  // pressed or scrolled in the step: its control may scroll out of sight
  bool begins = true;    // the step has not been drawn yet
  bool unfolded = false; // the sidebar was unfolded for a step's control, until the lesson is left
  Scene before;
};

// The step that is shown, or null.
const LessonStep* lessonStep(const Workbench& bench);

// Shows the first step of lesson `index`.
void openLesson(Workbench& bench, std::size_t index);
// Moves `by` steps on (back where negative), if there are that many.
void moveInLesson(Workbench& bench, int by);
// Restores the step's Scene, whatever was tried in it.
void restartStep(Workbench& bench);
void leaveLesson(Workbench& bench);
// Shows or hides the answer to the step's question; a hidden one can be chosen again.
void revealAnswer(Workbench& bench, bool shown);
// Whether a question is on the screen without its answer.
bool asksQuestion(const Workbench& bench);
// Whether it has choices: 1 … 4 answer it and do nothing else.
bool offersChoices(const Workbench& bench);
// Answers the question with that choice, from 1, which reveals the answer; nothing where there is
// none of that number.
void chooseAnswer(Workbench& bench, Index number);
// False where undo would remove the step's own Scene under its words.
bool undoStaysInStep(const Workbench& bench);

// Reads the lessons as a task, then adds their actions: to open each, and to go through it.
void startReadingLessons(Workbench& bench);

// What the step after it shows; null without a lesson and at its end.
const Scene* nextLessonScene(const Workbench& bench);

// The current step while its words match what is shown; null if a figure or a saved scene with a
// title was opened within the step and has words of its own.
const LessonStep* speakingStep(const Workbench& bench);

// Goes to the place that was reached elsewhere; a step that is already shown stays, with everything
// that was tried in it.
void resumeLesson(Workbench& bench, const OpenLesson& place);

// ---- the band over the view: the step's words, its question, and the way to the next ----

// The height in points of the band over a view of `width`; 0 without a lesson. At most `most`:
// beyond that its words scroll.
float lessonHeight(const Workbench& bench, const Ui& ui, float width, float most);

void drawLesson(const Workbench& bench, const PanelContext& context, const Rect& area);

// A frame around the control that the step is about; it is scrolled into sight
// until somebody presses or scrolls.
void drawLessonControl(Workbench& bench, const Ui& ui);

// Unfolds the sidebar, once per lesson, where a step is about a control that is not on the screen.
void unfoldForLesson(Workbench& bench, const Ui& ui);

} // namespace attention::gui
