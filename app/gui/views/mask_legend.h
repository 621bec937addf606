// What the colours of a matrix mean: a swatch and the label of each part, a ramp for patterns of
// many parts, or a colour bar for attention weights.
#pragma once

#include "app/gui/view/view.h"
#include "app/gui/views/texel_axis.h"
#include "core/figure/color.h"

#include <span>
#include <string>

namespace attention::gui {

// In the upper right corner of `matrix`; pale while the pointer is on it, so that cells below can
// be seen.
void drawPartsLegend(const Ui& ui, const Rect& matrix, const Prepared& prepared);

// "largest p in a pixel", "sum of p in a pixel", or "attention weight p" where a texel is a cell.
std::string weightsTitle(WeightsShown shown, TexelKind kind);
void drawWeightsLegend(const Ui& ui, const Rect& matrix, const std::string& title, float largest);

// Words in a small box in the lower left corner of `matrix`, in as many lines as they need:
// "sampled", "updating…".
void drawBadge(const Ui& ui, const Rect& matrix, const std::string& words);

} // namespace attention::gui
