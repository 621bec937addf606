// Where everything of a figure lies: boxes for titles, plots and legends, so that the plots are as
// large as they can be, aligned over all panels, and nothing overlaps. The same words are measured
// over and over: where measuring is expensive, pass a measure that remembers (text_fit.h).
#pragma once

#include "core/plot/arrange_words.h"
#include "core/plot/figure.h"

#include <optional>
#include <vector>

namespace attention {

struct PanelBoxes {
  Box title;              // the plot's width plus the free room on both sides
  double middle = 0;      // of the plot
  std::vector<Box> plots; // what the marks fill; axes lie outside
  Box legend;
  PanelWords words;
  bool first = false; // leftmost: carries the axis of the queries
};

struct Arrangement {
  Size size;
  double type = 13;      // size of type, pixels
  double titleType = 13; // of titles of panels
  bool names = false;    // whether axes show the labels of their tokens
  Box title;
  std::vector<PanelBoxes> panels;
  FigureWords words;     // with the legend placed
  double captionTop = 0; // baseline of the first line of the caption
};

// Fits the figure into `size`; by default, the size that the figure fills without gaps. Curves
// alone may be wider or higher than their shape. E_RANGE (size) where it is too small for axes and
// words.
Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure);

// The same; nothing if it is too small.
std::optional<Arrangement> arrangeIfRoom(const Figure& figure, const std::optional<Size>& size,
                                         const TextMeasure& measure);

// The first one with readable plots in `size` among the figure, its fallback, that one's fallback,
// and so on; else the last one.
const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure);

// ---- figures changed where their words do not fit, if a change helps ----

// The figure with the names of its y axes above the plots without a title, where `places` are too
// low for one of the names; otherwise nothing.
std::optional<Figure> namedAbove(const Figure& figure, const Arrangement& places,
                                 const TextMeasure& measure);

// The figure with one legend for all panels, where `places` cut or break the panels' own and these
// agree on what a colour means.
std::optional<Figure> legendShared(const Figure& figure, const Arrangement& places);

} // namespace attention
