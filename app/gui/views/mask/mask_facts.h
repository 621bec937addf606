// Parts of the inspector beside the Mask view, one for each thing that can be asked of the first
// mask; each draws nothing unless it is asked.
#pragma once

#include "app/gui/panels/panel.h"

#include <string>
#include <vector>

namespace attention::gui {

// What they say, in sentences: for 'read this'.
std::vector<std::string> findingsRead(const PanelContext& c);

void drawTileFacts(const PanelContext& c);
void drawRankFacts(const PanelContext& c);
void drawCheckFacts(const PanelContext& c);

} // namespace attention::gui
