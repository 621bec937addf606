// The part of a frame of an animation that differs from the frame before.
#pragma once

#include "core/plot/display_list.h"

#include <span>

namespace attention {

// Pixels [left, right) × [top, bottom) of a frame.
struct FrameArea {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  int width() const { return right - left; }
  int height() const { return bottom - top; }
};

// The least area in which two frames of one size differ; one pixel where they are the same, since
// a frame has to have some.
FrameArea changedArea(const Image& before, const Image& after);

std::span<const Color> rowOf(const Image& image, int y);

} // namespace attention
