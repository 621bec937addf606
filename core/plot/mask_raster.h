// A mask as pixels: exact coverage where a pixel holds several cells, sharp cells where a cell
// holds several pixels. Produced in bands from the top, so that a large file is never held whole.
#pragma once

#include "core/pattern/coverage.h"
#include "core/plot/display_list.h"
#include "core/plot/mask_color.h"

#include <functional>
#include <span>

namespace attention {

struct PixelSize {
  Index width = 0;
  Index height = 0;
  bool operator==(const PixelSize&) const = default;
};

// Along one axis: the lattice of cells or pixels, whichever are fewer, and the step of it that each
// pixel shows.
struct RasterAxis {
  std::vector<Index> edges;
  std::vector<Index> stepOfPixel;
};

// Pixel k of `pixels` over the cells [begin, end).
RasterAxis rasterAxis(Index begin, Index end, Index pixels);

using PixelBand = std::function<void(Index firstRow, std::span<const Color> pixels)>;

// Whether rasterMask counts only some of the rows and scales up: many rows without a closed form,
// more of them than pixels (coverage.h).
bool samplesRows(const Prepared& pattern, const Rect& cells, const PixelSize& size);

// Calls `band` with whole rows of pixels, from the top without gaps. `threads` 0: the machine's.
// Cost: O(1) per pixel and term where counts have a closed form, O(ranges of a row) where a pixel
// is at most one cell. The coverage is exact where not samplesRows().
void rasterMask(const Prepared& pattern, const Rect& cells, const PixelSize& size,
                const MaskPalette& palette, const PixelBand& band, int threads = 0,
                const Run& run = {});

// ---- the picture of a lattice, coloured row by row: needs memory only for its colours ----

// The colours of one row of pixels, `height` queries high, by pixelColor(). `counts`: one span per
// plane, one count per pixel; `keyEdges` has one more. With a `leastShare` above pixelColor's own,
// pixels that hold anything are drawn at least that strongly (for strips, where one key among many
// matters).
void mixRow(std::span<const std::span<const Index>> counts, Index height,
            std::span<const Index> keyEdges, const MaskPalette& palette, double leastShare,
            std::span<Color> colors);

// One pixel per step of the lattice. Exact except where samplesCoverage(). The pixels are the same
// at any number of threads.
Image maskImage(const Prepared& pattern, const Lattice& lattice, const MaskPalette& palette,
                double leastShare = 0, const Run& run = {}, int threads = 1);

} // namespace attention
