// What the panels beside a view hold: its options in the left sidebar and its facts in the
// inspector.
#pragma once

#include "app/gui/panels/panel.h"

namespace attention::gui {

void drawMaskOptions(const PanelContext& context);  // heads, weights, image
void drawMaskFacts(const PanelContext& context);    // the cell, cost, comparison, definition
void drawReachOptions(const PanelContext& context); // layers, and what is compared with them
void drawReachFacts(const PanelContext& context);   // the chosen token, its path, the closed form
void drawAttentionOptions(const PanelContext& context); // what is shown of the weights
void drawAttentionFacts(const PanelContext& context);   // the query, what is kept, formulas
void drawKernelsOptions(const PanelContext& context);   // features, projections, data
void drawKernelsFacts(const PanelContext& context);     // the picture's numbers, words and formulas
void drawHashingOptions(const PanelContext& context);   // round, colours, curves, circle
void drawHashingFacts(const PanelContext& context);     // the token, the groups, words and formulas
void drawTimingsOptions(const PanelContext& context);   // what is timed, at which lengths
void drawTimingsFacts(const PanelContext& context);     // the peak, exponents, crossovers, noise
void drawEncodingsOptions(const PanelContext& context); // sizes of the tables, what is in them
void drawEncodingsFacts(const PanelContext& context);   // the traced position, parameter counts
void drawCompareOptions(const PanelContext& context);   // what is compared, and scored beside
void drawCompareFacts(const PanelContext& context);     // the difference, the score board

struct ViewPanels {
  void (*options)(const PanelContext&);
  void (*facts)(const PanelContext&);
  bool optionsFirst; // above the input
};
const ViewPanels& panelsOf(View view);

} // namespace attention::gui
