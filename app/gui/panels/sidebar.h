// The left sidebar: tabs Patterns and Figures; below, the parameters, the input, the model head and
// what the view shows.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

void drawSidebar(const PanelContext& context);

// What the input is called: a file's name, "minilm_alice (sample)".
std::string inputTitle(const InputSpec& spec);

// Its sections.
void drawPatternStrip(const PanelContext& context);
void drawParameters(const PanelContext& context);
void drawLengths(const PanelContext& context);
void drawInput(const PanelContext& context);
void drawRandomCard(const PanelContext& context);
void drawModelHead(const PanelContext& context);
void drawFigures(const PanelContext& context);

} // namespace attention::gui
