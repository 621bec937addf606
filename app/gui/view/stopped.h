// What the user stopped of the picture on the screen.
#pragma once

#include "app/gui/view/results.h"

namespace attention::gui {

struct StoppedPart {
  bool there = false; // something of it is on the screen
  bool stale = false; // which was made of an older Scene
  bool operator==(const StoppedPart&) const = default;
};

// Of the view's parts the first that was stopped; none where all is well, where the picture is made
// again and where an error stands in its place.
std::optional<StoppedPart> stoppedPart(View view, const Results& results);

} // namespace attention::gui
