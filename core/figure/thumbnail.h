// A small picture of a figure, for lists of figures: its marks without a word.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/figure.h"
#include "core/support/run.h"

namespace attention {

// The figure's plots without titles, axes, legends and caption; curves beside other plots are left
// out.
Figure withoutWords(Figure figure);

// It laid out in `size` and painted, `scale` pixels per unit. E_RANGE where `size` has no room.
Image thumbnailOf(const Figure& figure, const Size& size, double scale, const Run& run = {});

} // namespace attention
