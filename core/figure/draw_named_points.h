// Points of a plot with words beside them.
#pragma once

#include "core/figure/curves.h"
#include "core/figure/draw_plot.h"

namespace attention {

// Each a dot in the colour of text with its words on the side and at the height where they meet
// neither the edge of `box` nor words that stand there already; points outside of it are left out.
void drawNamedPoints(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing);

} // namespace attention
