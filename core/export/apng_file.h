// Animated PNG (the PNG specification, third edition, 2025, section 11.3.5): a PNG with its further
// frames in separate chunks, so that programs that do not know them show the first one. A frame is
// written as the rectangle in which it differs from the one before, transparent where it does not:
// most of an animated figure stands still.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/mask_raster.h"

#include <cstdint>
#include <iosfwd>
#include <string>

namespace attention {

class ApngWriter {
public:
  // `frames` ≥ 1 must follow; `sceneText` as in PngWriter. The animation repeats for ever. `stream`
  // must outlive the writer and itself reports when the disk is full.
  ApngWriter(std::ostream& stream, const PixelSize& size, std::size_t frames,
             std::string sceneText);

  // Adds an opaque frame of the given size, shown for the given seconds (in milliseconds, at most
  // 65 s).
  void add(const Image& image, double seconds);
  // Call it after the last frame.
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
