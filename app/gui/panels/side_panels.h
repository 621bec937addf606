// The panels on both sides of the view. At the left the sidebar: tabs Patterns and Figures; below,
// the parameters, the input, the model head and what the view shows. At the right the inspector:
// the cell under the pointer and why, cost, comparison with dense attention, definition with
// source; below, always in sight where there is room, export.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

// ---- the sidebar ----

void drawSidebar(const PanelContext& context);

// What the input is called: a file's name, "minilm_alice (sample)".
std::string inputTitle(const InputSpec& spec);

// Its sections.
void drawPatternStrip(const PanelContext& context);
void drawParameters(const PanelContext& context);
void drawLengths(const PanelContext& context);
void drawInput(const PanelContext& context);
void drawRandomCard(const PanelContext& context);
void drawScoresCard(const PanelContext& context);
void drawTypedCard(const PanelContext& context); // nothing where the input is not typed
void drawModelHead(const PanelContext& context);
void drawFigures(const PanelContext& context);

// ---- the inspector ----

void drawInspector(const PanelContext& context);

// Its last section.
void drawExport(const PanelContext& context);

// The height in points of drawExport.
float exportHeight(const Ui& ui);

} // namespace attention::gui
