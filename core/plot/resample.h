// Pictures at another resolution.
#pragma once

#include "core/plot/display_list.h"
#include "core/support/run.h"

namespace attention {

// Each pixel of the result is the mean of what it covers of `image`, weighted by area: no moiré and
// no lost lines where cells are about as large as pixels. O(pixels of both).
Image resampled(const Image& image, int width, int height, const Run& run = {});

} // namespace attention
