// Choosing a pattern, the same from the strip, the gallery and the palette.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// The payload of a small picture of the strip that is dragged: its place in PatternOffers::strip,
// an int.
constexpr const char* kDraggedPattern = "pattern of the strip";

// Emits the edit that shows the pattern alone; `name` is what undo calls it, else its title.
void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name = {});

} // namespace attention::gui
