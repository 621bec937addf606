// How much of its hue a pixel of a mask is drawn with. A single attended pair among millions has to
// be seen on paper and by a projector, so that small coverages are lifted.
#pragma once

#include "core/figure/color.h"

namespace attention {

// The least share of a hue on that ground: hues of figures stand out from it at 1.4 : 1 or more.
double leastShareOn(const Color& ground);

// The share that is drawn for a coverage: the coverage itself from 2 · least on; below, least +
// coverage / 2, so that more is always more.
double drawnShare(double coverage, double least);

} // namespace attention
