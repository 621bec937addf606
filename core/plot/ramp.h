// Ramps: the numbers of a matrix as pixels, and a continuous bar of these colours beside it, with
// numbers that say what a colour means.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/mask_color.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <string>
#include <vector>

namespace attention {

struct RampScale {
  Ramp ramp = Ramp::Weights;
  float top = 1; // the end of the ramp
  FigureTheme theme = FigureTheme::Light;
};

// One pixel per entry, by rampColor. O(entries).
Image rampImage(const Matrix<float>& values, const RampScale& scale, const Run& run = {});

struct RampBar {
  std::string label;   // "weight"
  bool beyond = false; // larger values also have the colour of the end: "≥ 0.2"
  bool below = false;  // below the matrix, not to its right
};

// The ramp of the bar's matrix.
struct BarScale {
  Ramp ramp = Ramp::Attention;
  double top = 1; // its end; both ends where values have both signs
};

// Places of numbers along the bar: from 0 at its bottom to 1 at its top.
struct BarTick {
  double at = 0;
  std::string text;
};
// Numbers that are at least `apart` (as a share of the bar) from each other: the ends first.
std::vector<BarTick> barTicks(const RampBar& bar, const BarScale& scale, double apart);

// The room for the bar to the right of a matrix, or below it, in pixels.
double barWidth(const RampBar& bar, const BarScale& scale, double type, const TextMeasure& measure);
double barHeight(double type);

// At the right of a matrix in `box`, as high as it, or below it, as wide.
void drawRampBar(const RampBar& bar, const BarScale& scale, const Box& box, double type,
                 FigureTheme theme, const TextMeasure& measure, DisplayList& list);

} // namespace attention
