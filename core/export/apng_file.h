// Animated PNG (the PNG specification, third edition, 2025, section 11.3.5): a PNG whose further
// frames stand in chunks of their own, so that programs which do not know them show the first one.
// A frame is written as the rectangle in which it differs from the one before, laid over that one,
// clear where it does not: most of an animated figure stands still.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/mask_raster.h"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace attention {

class ApngWriter {
public:
  // `frames` ≥ 1 are promised; `sceneText` as PngWriter's. The animation repeats without end.
  // `stream` must outlive the writer and says itself when it is full.
  ApngWriter(std::ostream& stream, const PixelSize& size, std::size_t frames,
             std::string sceneText);

  // An opaque frame of the size given, shown for so many seconds (in steps of a millisecond, at
  // most 65).
  void add(const Image& image, double seconds);
  // After the last frame.
  void finish();

private:
  void chunk(const std::string& type, const std::string& data);

  std::ostream& stream_;
  Image shown_; // the last frame; clear before the first one
  std::size_t frames_;
  std::string sceneText_;
  std::size_t added_ = 0;
  std::uint32_t sequence_ = 0; // of fcTL and fdAT chunks together
};

} // namespace attention
