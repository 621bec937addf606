// Tab and Shift+Tab: from control to control over all regions of the window, in the order in which
// they are read: menu, sidebar, view, inspector, status, notes; inside an open overlay only its
// own. ImGui's own tabbing knows the text fields and sliders of one window only.
#pragma once

#include "app/gui/widgets/widget_log.h"

#include <span>
#include <string_view>

namespace attention::gui {

// The control after (`step` 1) or before (−1) the one that has the keyboard, wrapping around at the
// ends; the first or last one where none has it; 0 if there is none. `scope`: only controls
// inside it.
std::uint32_t nextInTabOrder(std::span<const Widget> widgets, std::uint32_t focused, int step,
                             std::string_view scope = {});

// Moves the keyboard focus if Tab was pressed. Call it at the start of a frame, so that the text
// field that loses the focus notices; `overlay` is the scope of the open overlay, or empty.
void moveByTab(WidgetLog& log, std::string_view overlay);

} // namespace attention::gui
