// Frame after frame: what only the host can do after each, how long the window sleeps between two,
// and the same without a display.
#pragma once

#include "app/gui/files/read_input.h"
#include "app/gui/frame/workbench.h"
#include "app/gui/platform/host.h"
#include "app/gui/run_gui.h"

namespace attention::gui {

// `launchScale` multiplies the user's size of type, but not that of a presentation, which follows
// the window. The caller handles the wish to quit.
void fulfil(Host& host, Workbench& bench, float launchScale = 1);

// How long the window sleeps between two frames: seconds, 0: not at all. `host`: the value of
// Host::restSeconds. `quiet`: frames since the last one in which a job ran or something played.
double restBetweenFrames(double host, int quiet);

// The window without a display: for pictures, scripts and tests. It neither reads nor writes the
// user's state. Plays the script if there is one, waits for jobs, writes the picture if one is
// asked for.
int runHeadless(const GuiOptions& options, const Scene& scene, const ReadInput& read = {},
                const std::optional<HeldLength>& held = {});

} // namespace attention::gui
