// Choosing a mechanism, the same from the strip, the gallery and the palette.
#pragma once

#include "app/gui/view/actions.h"
#include "core/pattern/pattern.h"

namespace attention::gui {

// `standard` with something to begin with where it is nothing without: a composition begins with
// the pattern that is shown and a window, a formula with the causal one.
Pattern begun(const Pattern& standard, const Pattern& shown);

// Emits the edit that shows the pattern alone.
void choosePattern(ActionSink& actions, const Pattern& pattern);

} // namespace attention::gui
