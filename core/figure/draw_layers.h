// The graph of a stack of layers as primitives.
#pragma once

#include "core/figure/draw_plot.h"
#include "core/figure/layer_graph.h"

namespace attention {

// `box`: what the tokens span; `tokens`: the axis below the input, if any.
void drawLayers(const LayersMark& mark, const std::optional<Axis>& tokens, const Box& box,
                const PlotStyle& style, const Drawing& drawing);

// The middle of a token; row 0 is the input, the lowest.
Point placeOf(const LayersMark& mark, const Box& box, Index row, Index token);

} // namespace attention
