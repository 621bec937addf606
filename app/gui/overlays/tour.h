// Where the tour of a first start points.
#pragma once

#include "app/gui/overlays/overlay_state.h"
#include "app/gui/widgets/ui.h"

#include <optional>

namespace attention::gui {

// Opens the tour where it was never shown.
void beginTour(Workbench& bench);

// What the current stop is about, on the screen; nothing where it is folded away.
std::optional<Rect> tourTarget(const Ui& ui, const TourState& state);

// The upper left corner of a box of that size: beside the target and within the window.
ImVec2 tourCorner(const Ui& ui, const TourState& state, const ImVec2& box);

} // namespace attention::gui
