// Notes at the foot of the view with a way to act: a picture with a stopped job, so that nobody
// takes it for one of the present parameters, and files that changed on the disk.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/view/stopped.h"

#include <string>
#include <vector>

namespace attention::gui {

// Over the view in `area`, in the present window: dims what is older than the parameters, and says
// so at the bottom beside a way to run it again. The part of `area` that is left above.
Rect drawStopped(const PanelContext& c, const Rect& area, const StoppedPart& part);

// Likewise: which files changed, beside a way to read them again.
Rect drawChanged(const PanelContext& c, const Rect& area, const std::vector<std::string>& files);

} // namespace attention::gui
