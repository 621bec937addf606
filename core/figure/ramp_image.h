// Numbers of a matrix as pixels.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/mask_color.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

namespace attention {

struct RampScale {
  Ramp ramp = Ramp::Weights;
  float top = 1; // the end of the ramp
  FigureTheme theme = FigureTheme::Light;
};

// A pixel an entry, by rampColor. O(entries).
Image rampImage(const Matrix<float>& values, const RampScale& scale, const Run& run = {});

} // namespace attention
