// The bars of a plot of curves: one per value, or one per column of several values where they would
// have less than a pixel each.
#pragma once

#include "core/plot/curves.h"

#include <vector>

namespace attention {

bool hasBars(const CurvesMark& mark);

// How many bars share a column of a plot in `box`; 1 also where there are none.
Index barsPerColumn(const CurvesMark& mark, const Box& box);

struct BarBoxes {
  std::vector<Box> solid; // as far as all bars of a column reach
  std::vector<Box> light; // from there as far as any does
};

// Those above zero and those below; bars that exceed the axes are cut.
BarBoxes barBoxes(const CurvesMark& mark, const Box& box, const Curve& curve);

} // namespace attention
