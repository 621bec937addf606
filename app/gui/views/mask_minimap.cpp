#include "app/gui/views/mask_minimap.h"

#include "app/gui/views/paint.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {

std::optional<Rect> minimapArea(const Ui& ui, const MaskFrame& frame, const Lengths& lengths) {
  const Rect& a = frame.area;
  if (frame.scale <= fitScale(lengths, a) * 1.001 || widthOf(a) < ui.px(240) ||
      heightOf(a) < ui.px(200))
    return std::nullopt;
  const auto aspect = static_cast<float>(std::clamp(
      static_cast<double>(lengths.keys) / static_cast<double>(lengths.queries), 0.2, 5.0));
  const float longer = ui.px(112);
  const float width = std::round(aspect >= 1 ? longer : longer * aspect);
  const float height = std::round(aspect >= 1 ? longer / aspect : longer);
  const float x = std::round(a.x1 - ui.px(12));
  const float y = std::round(a.y1 - ui.px(12));
  return Rect{x - width, y - height, x, y};
}

CanvasInput minimapInput(const Ui& ui, const Rect& area) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  return canvas(ui, "Minimap", ImVec2(widthOf(area), heightOf(area)), {}, Wheel::Zooms);
}

std::pair<double, double> minimapCell(const Rect& area, const Lengths& lengths, float x, float y) {
  const auto share = [](float at, float from, float to) {
    return std::clamp(static_cast<double>((at - from) / (to - from)), 0.0, 1.0);
  };
  return {share(y, area.y0, area.y1) * static_cast<double>(lengths.queries),
          share(x, area.x0, area.x1) * static_cast<double>(lengths.keys)};
}

void drawMinimap(const ViewContext& context, const ShownMask& tile, const MaskFrame& frame,
                 const Rect& area, float density, RasterPicture& picture) {
  const Ui& ui = context.ui;
  const Lengths& lengths = tile.prepared->lengths();
  const auto pixels = [&](float points) {
    return std::max<Index>(std::lround(points * density), 1);
  };
  const TexelAxes axes{wholeAxis(lengths.queries, pixels(heightOf(area))),
                       wholeAxis(lengths.keys, pixels(widthOf(area)))};
  picture.show(context.rasters.coverage("minimap", {tile.prepared, axes.lattice()}), axes,
               figureTheme(ui.theme));
  box(area, color(ui.colors().view), ui.px(3));
  fill(area, color(ui.colors().view));
  picture.drawOver(area);
  box(area, color(ui.colors().dim, 0.6F), 1);
  const CellRect cells = visibleCells(frame, lengths);
  const auto at = [](float from, float length, Index cell, Index n) {
    return std::round(from + length * static_cast<float>(cell) / static_cast<float>(n));
  };
  const Clip clip({area.x0 - 2, area.y0 - 2, area.x1 + 2, area.y1 + 2});
  Rect seen{at(area.x0, widthOf(area), cells.keyBegin, lengths.keys),
            at(area.y0, heightOf(area), cells.rowBegin, lengths.queries),
            at(area.x0, widthOf(area), cells.keyEnd, lengths.keys),
            at(area.y0, heightOf(area), cells.rowEnd, lengths.queries)};
  seen.x1 = std::max(seen.x1, seen.x0 + 3);
  seen.y1 = std::max(seen.y1, seen.y0 + 3);
  fill(seen, color(ui.colors().crosshair, 0.16F));
  box(seen, color(ui.colors().crosshair), 1);
}

} // namespace attention::gui
