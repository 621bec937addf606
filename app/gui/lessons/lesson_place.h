// Where a lesson is, seen from outside: which words speak of what is shown, and going on at a place
// that was reached elsewhere.
#pragma once

#include "app/gui/lessons/lesson.h"

namespace attention::gui {

// The step that is shown, while its words speak of what is shown; null where a figure or a saved
// scene with a title was opened within the step, which then says its own.
const LessonStep* speakingStep(const Workbench& bench);

// Goes to the place that somebody has reached elsewhere; a step that is shown already stays as it
// is, with all that was tried in it.
void resumeLesson(Workbench& bench, const OpenLesson& place);

} // namespace attention::gui
