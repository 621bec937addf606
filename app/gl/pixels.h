// A picture read back from OpenGL: 8-bit RGBA, first row on top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attention::gl {

struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba; // height × width × 4, row 0 is the top

  // The four bytes of the pixel in column x and row y (0 ≤ x < width, 0 ≤ y < height).
  const std::uint8_t* at(int x, int y) const {
    return rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x));
  }
  bool operator==(const Pixels&) const = default;
};

} // namespace attention::gl
