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

// ---- choosing a pattern, the same way from the strip, the gallery and the palette ----

// The payload of a small picture that is dragged from the strip: its place in PatternOffers::strip,
// an int.
constexpr const char* kDraggedPattern = "pattern of the strip";

// Emits the edit that shows only this pattern; undo calls it `name`, or else its title.
void choosePattern(ActionSink& actions, const Pattern& pattern, const std::string& name = {});

// Shown in Choosing where the picture has nothing to show of the Scene's pattern: patterns that it
// suits, on the current input. They stand at the top of `room`, which the view left below its
// words. An audience sees the pictures but cannot press them.
void drawSuitedOffers(const PanelContext& c, const Rect& room, bool presented);

} // namespace attention::gui
