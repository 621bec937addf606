// Points of a plot with words beside them, or numbers that a list explains.
#pragma once

#include "core/figure/curves.h"
#include "core/figure/draw_plot.h"

namespace attention {

// Without the names of points and curves, which are listed elsewhere: points have numbers alone,
// but for those without a place near them.
Plot withoutNames(Plot plot);

// Each a dot in the colour of text with its words on the side and at the height where they meet
// neither the edge of `box` nor words that stand there already; points outside of it are left out.
// Where style.names is off and listsPoints(mark): a number beside each dot, and at the right of the
// box a list of numbers and names, in the room style.right. Where no point has words
// there are numbers alone, near their dots or not at all.
void drawNamedPoints(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing);

// Whether the plot is about its points, so that the place beside it can be their list's: no curve
// of data has words there.
bool listsPoints(const CurvesMark& mark);

// Whether all names find room in `box`, nearly all of them beside their dots.
bool namesHaveRoom(const CurvesMark& mark, const Box& box, double type, const TextMeasure& measure);

// What the list takes at the right of the plot, in pixels.
double listWidth(const CurvesMark& mark, double type, const TextMeasure& measure);

} // namespace attention
