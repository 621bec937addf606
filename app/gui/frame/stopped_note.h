// A picture whose job was stopped, so that nobody takes it for one of the present parameters.
#pragma once

#include "app/gui/panels/panel.h"
#include "app/gui/view/stopped.h"

namespace attention::gui {

// Over the view in `area`, in the present window: dims what is older than the parameters, and says
// so at the bottom beside a way to run it again. The part of `area` that is left above.
Rect drawStopped(const PanelContext& c, const Rect& area, const StoppedPart& part);

} // namespace attention::gui
