// The inspector at the right: the cell under the pointer and why, cost, comparison with dense
// attention, definition with source; below, always in sight where there is room, export.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

void drawInspector(const PanelContext& context);

// Its sections.
void drawCell(const PanelContext& context);
void drawReading(const PanelContext& context);
void drawCost(const PanelContext& context);
void drawAgainst(const PanelContext& context);
void drawDefinition(const PanelContext& context);
void drawExport(const PanelContext& context);

// Points that drawExport takes.
float exportHeight(const Ui& ui);

} // namespace attention::gui
