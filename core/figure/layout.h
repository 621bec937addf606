// A figure laid out at a size: its display list. The same figure, size and measure give the same
// list, whatever draws it.
#pragma once

#include "core/figure/display_list.h"
#include "core/figure/figure.h"
#include "core/support/run.h"

#include <optional>

namespace attention {

struct LayoutOptions {
  double pixelsPerUnit = 1;     // resolution of pictures of coverage
  std::size_t mostBoxes = 4096; // cells become boxes up to so many merged ones, else a picture
  bool pictures = true;         // where false, cells are boxes however many and however small
  int threads = 0;
};

// Without `size` the figure takes the one that it fills. Words that do not fit are shortened.
// E_RANGE: a size too small for axes and words.
DisplayList layout(const Figure& figure, const std::optional<Size>& size,
                   const TextMeasure& measure, const LayoutOptions& options = {},
                   const Run& run = {});

} // namespace attention
