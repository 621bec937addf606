// Where everything of a figure lies: boxes for titles, plots and legends, so that the plots are as
// large as they can be, aligned over all panels, and nothing overlaps. The same words are measured
// over and over: where measuring is dear, give a measure that remembers (text_fit.h).
#pragma once

#include "core/plot/arrange_words.h"
#include "core/plot/figure.h"

#include <optional>
#include <vector>

namespace attention {

struct PanelBoxes {
  Box title;              // the plot's width and what is free on both sides of it
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
  FigureWords words;     // with its legend in its place
  double captionTop = 0; // baseline of the first line of the caption
};

// Fits the figure into `size`; without one, takes the size that the figure fills without gaps.
// Curves alone may be broader or higher than their shape. E_RANGE (size) where it is too
// small for axes and words.
Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure);

// The same; nothing where it is too small.
std::optional<Arrangement> arrangeIfRoom(const Figure& figure, const std::optional<Size>& size,
                                         const TextMeasure& measure);

// The first of the figure, its fallback, and that one's, whose plots can be read in `size`; the
// last one where those of none can.
const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure);

// ---- figures changed where their places have no room for their words, if others have ----

// The figure with the names of its y axes above those of its plots that have no title, where
// `places` are too low for one of the names; nothing where they are not.
std::optional<Figure> namedAbove(const Figure& figure, const Arrangement& places,
                                 const TextMeasure& measure);

// The figure with one legend for all panels where `places` cut or break the panels' own, if these
// agree about what a colour means.
std::optional<Figure> legendShared(const Figure& figure, const Arrangement& places);

} // namespace attention
