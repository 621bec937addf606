// Pictures at another resolution.
#pragma once

#include "core/plot/display_list.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <vector>

namespace attention {

// Each pixel of the result is the mean of what it covers of `image`, weighted by area: no moiré and
// no lost lines where cells are about as large as pixels. O(pixels of both).
Image resampled(const Image& image, int width, int height, const Run& run = {});

// Pixels of what has to be seen from afar.
constexpr Index kLeastSeen = 3;

// Columns of a matrix that are at least so many pixels wide, whatever the width of the others.
struct WideColumns {
  std::vector<Index> columns;
  Index pixels = 1;
};
// Each entry of the result is the value that is largest in size of what it touches of `values`, so
// that a thin line stays as strong as it is. Whole rows and columns share the pixels evenly.
// O(entries of both).
Matrix<float> strongest(const Matrix<float>& values, Index rows, Index columns,
                        const WideColumns& wide = {}, const Run& run = {});

} // namespace attention
