// A presentation: the view, or the step of a lesson, fills the screen in large type and a theme of
// its own, with a clock and nothing else. What is done in it is undone when it is left: the window
// is then as it was before, with its Scene, its steps of undo, its lesson and its habits.
#pragma once

#include "app/gui/interface/actions.h"
#include "app/gui/lessons/lesson.h"
#include "app/gui/state/document.h"
#include "app/gui/state/ui_state.h"

#include <optional>

namespace attention::gui {

struct Workbench;

struct Presentation {
  // From before, for the time after.
  Document document;
  std::optional<OpenLesson> lesson;
  UiState ui;
  Hover hover;
  bool playing = false;

  bool fullScreen = true; // else in the window
  bool blank = false;     // the screen is black: look at me
  bool spotlight = false; // all is dimmed but what lies around the pointer
  float zoom = 1;         // of the type
  float scale = 0;        // of the type, wanted for the window's size; 0: not known yet
  bool fitted = false;    // whether the fonts have that scale
  float still = 0;        // seconds since the pointer moved: at rest it is hidden
};

// The scale of type for a window of that size in points: what stands on the screen fills as large a
// part of it from 1024 × 640 to 4K.
float presentScale(float width, float height);

void startPresenting(Workbench& bench);
// All is as it was, but for the theme of presentations, which is a habit.
void stopPresenting(Workbench& bench);

// A step on, or back where `by` is −1: of the lesson, of what the view plays (layers, groups,
// projections, heads, positions), else to the paper's next figure, else of the pinned query. A
// question of a lesson is answered before the next step is shown: clickers have one button on.
void presentStep(Workbench& bench, int by);
// The same with figures before what the view plays: what clickers send.
void presentPage(Workbench& bench, int by);
// Whether a question stands on the screen whose answer does not.
bool asksQuestion(const Workbench& bench);

// A place in a row, from 1.
struct Place {
  std::size_t at = 0;
  std::size_t of = 0;
};
// Of the step in its lesson, else of the figure in its paper; nothing for a Scene of one's own.
std::optional<Place> placeOf(const Workbench& bench);

} // namespace attention::gui
