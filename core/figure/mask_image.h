// The picture of a lattice of a mask: each pixel counted exactly and coloured at once, row by row,
// so that it takes no memory but its colours.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/mask_color.h"
#include "core/pattern/coverage.h"

#include <span>

namespace attention {

// The colours of one row of pixels, `height` queries high, by pixelColor(). `counts`: one span a
// plane, a count a pixel; `keyEdges` one more. With a `leastShare` above pixelColor's own, pixels
// that hold anything are drawn at least that strongly (strips, where one key in many counts).
void mixRow(std::span<const std::span<const Index>> counts, Index height,
            std::span<const Index> keyEdges, const MaskPalette& palette, double leastShare,
            std::span<Color> colors);

// One pixel per step of the lattice. Exact but where samplesCoverage(). The pixels are the same at
// any number of threads.
Image maskImage(const Prepared& pattern, const Lattice& lattice, const MaskPalette& palette,
                double leastShare = 0, const Run& run = {}, int threads = 1);

} // namespace attention
