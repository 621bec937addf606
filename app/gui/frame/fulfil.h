// What only the host can do, after each frame: the clipboard, the size of type, the full screen.
#pragma once

#include "app/gui/frame/workbench.h"
#include "app/gui/platform/host.h"

namespace attention::gui {

// `launchScale` multiplies the user's size of type, but not that of a presentation, which follows
// the window. The wish to quit stays with the caller.
void fulfil(Host& host, Workbench& bench, float launchScale = 1);

} // namespace attention::gui
