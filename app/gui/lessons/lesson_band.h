// The band over the view while a lesson goes on: the step's words, its question, and the way to the
// next.
#pragma once

#include "app/gui/frame/workbench.h"

namespace attention::gui {

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
