// Chooses a pattern, the same way from the strip, the gallery, the palette and what Choosing
// offers.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// The payload of a small picture that is dragged from the strip: its place in PatternOffers::strip,
// an int.
constexpr const char* kDraggedPattern = "pattern of the strip";

// Emits the edit that shows only this pattern; undo calls it `name`, or else its title.
void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name = {});

// Shown in Choosing where the picture has nothing to show of the Scene's pattern: patterns that it
// suits, on the current input. They stand at the top of `room`, which the view left below its
// words. An audience sees the pictures but cannot press them.
void drawSuitedOffers(const PanelContext& c, const Rect& room, bool presented);

} // namespace attention::gui
