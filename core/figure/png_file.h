// Writing PNG files row by row: 8-bit RGB, with the Scene that made the picture as an iTXt chunk.
// Compression is the fastest that still makes masks small.
#pragma once

#include "core/figure/color.h"
#include "core/figure/mask_raster.h"

#include <iosfwd>
#include <memory>
#include <span>
#include <string>

namespace attention {

// Most pixels along a side of a PNG.
constexpr Index kMostPixelsASide = 65535;

class PngWriter {
public:
  // Writes the header; `sceneText` and `comment` (a tEXt chunk) are ASCII, empty for none. E_RANGE:
  // a side of 0 or more than kMostPixelsASide pixels. `stream` must outlive the writer and says
  // itself when it is full.
  PngWriter(std::ostream& stream, const PixelSize& size, const std::string& sceneText,
            const std::string& comment = {});
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter();

  // Whole rows, from the top; opacity is left out.
  void rows(std::span<const Color> pixels);
  // After the last row.
  void finish();

private:
  struct State;
  std::unique_ptr<State> state_;
  Index width_ = 0;
};

} // namespace attention
