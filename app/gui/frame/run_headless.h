// The window without a display: for pictures, scripts and tests. It neither reads nor writes the
// user's state.
#pragma once

#include "app/gui/run_gui.h"

namespace attention::gui {

// Plays the script if there is one, waits for jobs, writes the picture if one is asked for.
int runHeadless(const GuiOptions& options, const Scene& scene);

} // namespace attention::gui
