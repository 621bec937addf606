// Curves over axes of numbers as primitives.
#pragma once

#include "core/figure/curves.h"
#include "core/figure/draw_plot.h"

namespace attention {

// `box`: what the axes span; the words around it take what plot_margins.h says.
void drawCurves(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                const Drawing& drawing);

// Where a point of the data lies.
Point placeOf(const CurvesMark& mark, const Box& box, const Point& point);

} // namespace attention
