// What the colours of a matrix mean: a swatch and the label of each part, a ramp for patterns of
// many parts, or a colour bar for attention weights.
#pragma once

#include "app/gui/interface/view.h"
#include "app/gui/pictures/texel_axis.h"
#include "core/plot/figure.h"

#include <string>
#include <vector>

namespace attention::gui {

// A legend per matrix, empty if its title says the same; where all have the same parts, the
// first one's serves all. With `weights` the first of several has none, since it shows attention
// weights instead of its parts; a single one still has them in its strips.
using MaskLegends = std::vector<std::vector<LegendEntry>>;
MaskLegends maskLegends(const Masks& masks, FigureTheme theme, bool weights);

// Whether the upper right corner of the whole mask in `area` has room for the legend and no cell
// under it; a few hundred places are checked.
bool cornerIsFree(const Ui& ui, const ShownMask& mask, const Rect& area,
                  const std::vector<LegendEntry>& entries);
// Draws it in that corner of `matrix`; pale while the pointer is on it, so that cells that were
// moved under it can be seen.
void drawCornerLegend(const Ui& ui, const Rect& matrix, const std::vector<LegendEntry>& entries);

// "largest p in a pixel", "sum of p in a pixel", or "attention weight p" where a texel is a cell.
std::string weightsTitle(WeightsShown shown, TexelKind kind);
struct WeightsLegend {
  std::string title;
  float largest = 0;
  const std::vector<LegendEntry>& parts; // of the strips, below the ramp
};
// In the upper right corner of `matrix`, likewise.
void drawWeightsLegend(const Ui& ui, const Rect& matrix, const WeightsLegend& legend);

// Words in a small box in the lower left corner of `matrix`, in as many lines as they need:
// "sampled", "updating…".
void drawBadge(const Ui& ui, const Rect& matrix, const std::string& words);

} // namespace attention::gui
