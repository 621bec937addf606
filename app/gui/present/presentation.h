// A presentation: the view, or the step of a lesson, fills the screen in large type and a theme of
// its own, with a clock and nothing else. Whatever is done in it is undone on leaving: the window
// is then as before, with its Scene, its undo steps, its lesson and its habits.
#pragma once

#include "app/gui/files/figure_list.h"
#include "app/gui/interface/actions.h"
#include "app/gui/lessons/lesson.h"
#include "app/gui/state/document.h"
#include "app/gui/state/ui_state.h"

#include <optional>

namespace attention::gui {

struct Workbench;

struct Presentation {
  // The state from before, to be restored afterwards.
  Document document;
  std::optional<OpenLesson> lesson;
  UiState ui;
  Hover hover;
  bool playing = false;

  bool fullScreen = true; // else in the window
  bool speaker = false;   // the speaker's view is open, in a window of its own
  bool blank = false;     // the screen is black: the audience looks at the speaker
  bool spotlight = false; // everything is dimmed except the surroundings of the pointer
  float zoom = 1;         // of the type
  float scale = 0;        // scale of the type, wanted for the window's size; 0: not known yet
  bool fitted = false;    // whether the fonts have that scale
  float still = 0;        // seconds since the pointer moved: at rest it is hidden
  std::optional<double> began = {}; // when its first frame was drawn, in the host's seconds
  double elapsed = 0;               // seconds since then
};

// The scale of type for a window of that size in points: the content fills the same share of the
// screen from 1024 × 640 to 4K.
float presentScale(float width, float height);

void startPresenting(Workbench& bench);
// Restores everything except the theme of presentations, which is a habit.
void stopPresenting(Workbench& bench);

// One step forward, or back where `by` is −1: of the lesson, of what the view plays (layers,
// groups, projections, heads, positions), else to the paper's next figure, else of the pinned
// query. A lesson's question is answered before the next step is shown, since clickers have one
// button for forward.
void presentStep(Workbench& bench, int by);
// The same with figures before what the view plays, for clickers.
void presentPage(Workbench& bench, int by);

// The figure that the paper of the shown one has next, or before it where `by` is −1; null if there
// is none.
const ShownFigure* nextFigure(const Workbench& bench, int by);

// A place in a row, from 1.
struct Place {
  std::size_t at = 0;
  std::size_t of = 0;
};
// The place of the step in its lesson, else of the figure in its paper; nothing for any other
// Scene.
std::optional<Place> placeOf(const Workbench& bench);

} // namespace attention::gui
