// Draws lines between two columns of tokens (links.h) as primitives.
#pragma once

#include "core/figure/draw_plot.h"
#include "core/figure/links.h"
#include "core/figure/plot_margins.h"

namespace attention {

// `box`: from the left column's right end to the right column's left end.
void drawLinks(const LinksMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing);

// What the columns' words take at either side, and their headings above.
PlotMargins marginsOf(const LinksMark& mark, double type, const TextMeasure& measure);

// Height for a width of 1: a line of words per token, within reason.
double aspectOf(const LinksMark& mark);

} // namespace attention
