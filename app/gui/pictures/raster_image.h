// From counts and weights to the colours of texels. Small arithmetic over the pixels of the window;
// the counts themselves come from jobs.
#pragma once

#include "app/gl/pixels.h"
#include "app/gui/pictures/texel_axis.h"
#include "app/gui/widgets/theme.h"
#include "core/pattern/coverage.h"
#include "core/plot/mask_color.h"
#include "core/support/matrix.h"

namespace attention::gui {

// The palette's theme of the window's theme.
FigureTheme figureTheme(const Theme& theme);

// One texel per lattice pixel, by pixelColor(). With a `leastShare` above pixelColor's own, pixels
// that hold anything are drawn at least that strongly (for strips, where one key among many
// matters).
gl::Pixels coverageImage(const Coverage& coverage, const Lattice& lattice,
                         const MaskPalette& palette, double leastShare = 0);

// One texel per lattice pixel, by weightColor().
gl::Pixels weightsImage(const Matrix<float>& weights, float largest, FigureTheme theme);

// The pixels of Filtered axes from one texel per cell: each pixel is the mean of the cells below
// it, weighted by area. Axes of other kinds are left as they are.
gl::Pixels filteredImage(gl::Pixels cells, const TexelAxis& rows, const TexelAxis& keys);

} // namespace attention::gui
