// Animated GIF (GIF89a) by giflib. A frame is written as the rectangle in which it differs from the
// one before, transparent where it does not, with a palette of its own: GIF has 256 colours per
// frame.
#pragma once

#include "core/plot/display_list.h"
#include "core/plot/mask_raster.h"

#include <iosfwd>
#include <memory>

namespace attention {

class GifWriter {
public:
  // The animation repeats for ever. `stream` must outlive the writer and itself reports when the
  // disk is full. E_RANGE: a side of more than 65 535 pixels; E_IO: giflib failed.
  GifWriter(std::ostream& stream, const PixelSize& size);
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;
  ~GifWriter();

  // Adds an opaque frame of the given size, shown for the given seconds (in hundredths, from 0.02,
  // below which browsers slow down, to 655 s).
  void add(const Image& image, double seconds);
  // Call it after the last frame.
  void finish();

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace attention
