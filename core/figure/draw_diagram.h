// Diagrams as primitives.
#pragma once

#include "core/figure/diagram.h"
#include "core/figure/draw_plot.h"

namespace attention {

// `box` has the diagram's shape.
void drawDiagram(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing);

// Where a box of the diagram lies.
Box placeOf(const DiagramMark& mark, const Box& box, const Box& inUnits);

} // namespace attention
