#include "app/gui/pictures/picture_parts.h"

#include "app/gui/pictures/paint.h"

namespace attention::gui {

Rects rowOf(const Rect& area, std::size_t count, float gap) {
  const auto all = static_cast<float>(count);
  const float width = (widthOf(area) - (all - 1) * gap) / all;
  Rects rects;
  for (std::size_t k = 0; k < count; ++k) {
    const float left = area.x0 + static_cast<float>(k) * (width + gap);
    rects.push_back({left, area.y0, left + width, area.y1});
  }
  return rects;
}

Rects columnOf(const Rect& area, std::size_t count, float gap) {
  return columnOf(area, count, gap, 0);
}

Rects columnOf(const Rect& area, std::size_t count, float gap, float more) {
  const auto all = static_cast<float>(count);
  const float height = (heightOf(area) - (all - 1) * gap - more) / all;
  Rects rects;
  for (std::size_t k = 0; k < count; ++k) {
    const float top = area.y0 + static_cast<float>(k) * (height + gap);
    rects.push_back({area.x0, top, area.x1, top + height});
  }
  rects.back().y1 += more;
  return rects;
}

Rects plotRects(Rect area, const FigurePanel& panel, float titleHeight, float gap) {
  if (panel.plots.empty())
    return {};
  if (!panel.title.empty())
    area.y0 += titleHeight;
  return columnOf(area, panel.plots.size(), gap);
}

} // namespace attention::gui
