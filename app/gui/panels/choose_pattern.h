// Choosing a pattern, the same from the strip, the gallery, the palette and what Hashing offers.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// The payload of a small picture of the strip that is dragged: its place in PatternOffers::strip,
// an int.
constexpr const char* kDraggedPattern = "pattern of the strip";

// Emits the edit that shows the pattern alone; `name` is what undo calls it, else its title.
void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name = {});

// What stands in Hashing where the Scene's pattern puts no tokens into groups: the patterns that
// do, on the present input. At the top of `room`, which the view left for them below its words. An
// audience sees the pictures, but presses none.
void drawGroupingOffers(const PanelContext& c, const Rect& room, bool presented);

} // namespace attention::gui
