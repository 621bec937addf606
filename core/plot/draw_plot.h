// One plot of a figure as primitives: its mark, grid, frame and axes.
#pragma once

#include "core/plot/figure.h"
#include "core/plot/layout.h"
#include "core/plot/ramp.h"

namespace attention {

struct PlotStyle {
  double type = 13;
  bool names = false;  // labels of tokens, or of points, instead of numbers
  bool queries = true; // whether the axis of the queries is drawn
  FigureTheme theme = FigureTheme::Light;
  double room = 0;    // width for words below a diagram; at least that of its box
  double right = 0;   // for words to the right of curves; 0: as much as they need
  bool across = true; // whether curves have the numbers and the name of their x axis
};

// What all plots of one layout share, and the list that they add to.
struct Drawing {
  const TextMeasure& measure;
  const LayoutOptions& options;
  const Run& run;
  DisplayList& list;
};

// The part of `box` that the plot's mark fills: of a matrix, whole pixels per cell where a cell has
// at least six, else whole pixels; other plots fill it.
Box markBox(const Plot& plot, const Box& box);

// The largest box inside `box` that has the plot's shape, at its top left: a matrix keeps its cells
// square, other plots fill it.
Box fittedTo(const Plot& plot, const Box& box);

// Adds the picture of numbers over `box`, made at once or later, as the options say; `atPixels`:
// with the pixels of the box, else one pixel per entry.
void addPicture(const Box& box, std::shared_ptr<const Matrix<float>> values, const RampScale& scale,
                bool atPixels, const Drawing& drawing);
// Adds a row of pixels over `box`, with the pixels of the box where the options want that.
void addRow(const Box& box, Image row, const Drawing& drawing);
// Whether entries over `box` are so small that they would differ in size by a pixel.
bool needsPixels(const Box& box, const Matrix<float>& values, const LayoutOptions& options);

void drawPlot(const Plot& plot, const Box& box, const PlotStyle& style, const Drawing& drawing);

} // namespace attention
