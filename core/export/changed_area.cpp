#include "core/export/changed_area.h"

#include <algorithm>

namespace attention {

std::span<const Color> rowOf(const Image& image, int y) {
  const auto width = static_cast<std::size_t>(image.width);
  return std::span(image.pixels).subspan(static_cast<std::size_t>(y) * width, width);
}

FrameArea changedArea(const Image& before, const Image& after) {
  FrameArea area{after.width, after.height, 0, 0};
  for (int y = 0; y < after.height; ++y) {
    const auto was = rowOf(before, y);
    const auto row = rowOf(after, y);
    const auto first = std::ranges::mismatch(was, row).in1;
    if (first == was.end())
      continue;
    const auto last = std::mismatch(was.rbegin(), was.rend(), row.rbegin()).first.base();
    area.left = std::min(area.left, static_cast<int>(first - was.begin()));
    area.right = std::max(area.right, static_cast<int>(last - was.begin()));
    area.top = std::min(area.top, y);
    area.bottom = y + 1;
  }
  return area.width() > 0 ? area : FrameArea{0, 0, 1, 1};
}

} // namespace attention
