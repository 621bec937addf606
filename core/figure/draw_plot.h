// One plot of a figure as primitives: its mark, grid, frame and axes.
#pragma once

#include "core/figure/figure.h"
#include "core/figure/layout.h"

namespace attention {

struct PlotStyle {
  double type = 13;
  bool names = false;  // labels of tokens instead of numbers
  bool queries = true; // whether the axis of the queries is drawn
  FigureTheme theme = FigureTheme::Light;
  double room = 0; // width for words below a diagram; at least that of its box
};

// What all plots of one layout share, and the list that they add to.
struct Drawing {
  const TextMeasure& measure;
  const LayoutOptions& options;
  const Run& run;
  DisplayList& list;
};

// The part of `box` that the plot's mark fills: of a matrix, whole pixels a cell where a cell has
// at least six, else whole pixels; other plots fill it.
Box markBox(const Plot& plot, const Box& box);

// The largest box inside `box` that has the plot's shape, at its top left: a matrix keeps its cells
// square, other plots fill it.
Box fittedTo(const Plot& plot, const Box& box);

void drawPlot(const Plot& plot, const Box& box, const PlotStyle& style, const Drawing& drawing);

} // namespace attention
