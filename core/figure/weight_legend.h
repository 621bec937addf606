// The legend of weights: what colours of the ramp mean.
#pragma once

#include "core/figure/figure.h"

#include <string>

namespace attention {

// Round numbers near the largest weight, a quarter and a twentieth of it, each as `what` calls it:
// "weight 0.5". `top` is the ramp's end.
std::vector<LegendEntry> weightSwatches(const std::string& what, double top, FigureTheme theme);

} // namespace attention
