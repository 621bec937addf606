// Writes PNG files row by row: 8 bits per channel, with the Scene that made the picture as an iTXt
// chunk. Compression is the fastest that still makes masks and figures small.
#pragma once

#include "core/plot/color.h"
#include "core/plot/mask_raster.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>

namespace attention {

// The most pixels along a side of a PNG.
constexpr Index kMostPixelsPerSide = 65535;

// Whether the opacity of colours is omitted or written as a fourth channel; or one channel of grey
// levels, which is compressed further.
enum class PngChannels { Rgb, Rgba, Grey };

class PngWriter {
public:
  // Writes the header; `sceneText` and `comment` (a tEXt chunk) are ASCII, empty for none. E_RANGE:
  // a side of 0 or more than kMostPixelsPerSide pixels. `stream` must outlive the writer and itself
  // reports when the disk is full.
  PngWriter(std::ostream& stream, const PixelSize& size, const std::string& sceneText,
            const std::string& comment = {}, PngChannels channels = PngChannels::Rgb);
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter();

  // Writes whole rows, from the top.
  void rows(std::span<const Color> pixels);
  void rows(std::span<const std::uint8_t> levels);
  // Call it after the last row.
  void finish();

private:
  template <class Pixel>
  void writeRows(std::span<const Pixel> pixels);

  struct State;
  std::unique_ptr<State> state_;
  Index width_ = 0;
};

} // namespace attention
