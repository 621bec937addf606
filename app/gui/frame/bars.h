// The menu bar with the program's name and the tabs, and the status bar.
#pragma once

#include "app/gui/frame/workbench.h"

namespace attention::gui {

constexpr float kMenuHeight = 44;   // at scale 1
constexpr float kStatusHeight = 30; // at scale 1

void drawMenuBar(const Workbench& bench, const PanelContext& context, const Rect& area);
void drawStatusBar(const Workbench& bench, const PanelContext& context, const Rect& area,
                   float framesPerSecond);

} // namespace attention::gui
