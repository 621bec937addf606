// Choosing a mechanism, the same from the strip, the gallery and the palette.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// The lengths in force, or the usual ones before there are any.
Lengths chosenLengths(const PanelContext& context);

// `standard` with parameters that suit n tokens (core/pattern/beginning.h); a composition begins
// with the pattern that is shown and a window.
Pattern begun(const Pattern& standard, const Pattern& shown, Index n);

// What choosing the mechanism of `standard` shows: the present pattern, the one last used, or its
// beginning.
Pattern patternToChoose(const PanelContext& context, const Pattern& standard);

// Emits the edit that shows the pattern alone; `name` is what undo calls it, else its title.
void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name = {});

} // namespace attention::gui
