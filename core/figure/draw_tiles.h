// Draws the heads of a model beside one another (head_tiles.h) as primitives.
#pragma once

#include "core/figure/draw_plot.h"
#include "core/figure/head_tiles.h"
#include "core/figure/plot_margins.h"

namespace attention {

void drawTiles(const TilesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing);

// What the names of rows and columns take.
PlotMargins marginsOf(const TilesMark& mark, double type, const TextMeasure& measure);

// Height for a width of 1.
double aspectOf(const TilesMark& mark);

// Where the matrix of a tile lies within the mark's box.
Box tileBox(const TilesMark& mark, const Box& box, std::size_t tile);

} // namespace attention
