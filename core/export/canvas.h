// The largest picture of pixels.
#pragma once

#include "core/export/cairo_painter.h"
#include "core/support/error.h"

#include <string>

namespace attention {

constexpr Index kLargestCanvas =
    16384; // pixels per side of a drawn picture: what cairo holds in memory

inline void requireCanvas(Index pixels, const std::string& name) {
  if (pixels < 1 || pixels > kLargestCanvas)
    throwRange(name, std::to_string(pixels) + " pixels",
               "an integer in 1 … " + std::to_string(kLargestCanvas));
}

// E_RANGE names width or height.
inline Size canvasOf(const PixelSize& size) {
  requireCanvas(size.width, "width");
  requireCanvas(size.height, "height");
  return {static_cast<double>(size.width), static_cast<double>(size.height)};
}

} // namespace attention
