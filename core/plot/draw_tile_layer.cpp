#include "core/plot/draw_marks.h"
#include "core/plot/mask_color.h"

#include <algorithm>

namespace attention {
namespace {

Box cut(const Box& box, const Box& to) {
  const double x = std::max(box.x, to.x);
  const double y = std::max(box.y, to.y);
  return {x, y, std::min(box.right(), to.right()) - x, std::min(box.bottom(), to.bottom()) - y};
}

} // namespace

void drawTileLayer(const TileLayer& layer, const Point& origin, const Size& unit, const Box& box,
                   FigureTheme theme, DisplayList& list) {
  constexpr double kLeastStroke = 10; // pixels per side from which a partial tile is crossed
  const auto& rows = layer.grid.lattice.rowEdges;
  const auto& keys = layer.grid.lattice.keyEdges;
  for (const TileKind kind : {TileKind::Full, TileKind::Partial}) {
    const TileLook look = tileLook(kind == TileKind::Full, theme);
    std::vector<Box> fills;
    std::size_t at = 0;
    for (std::size_t r = 0; r + 1 < rows.size(); ++r)
      for (std::size_t c = 0; c + 1 < keys.size(); ++c, ++at) {
        if (layer.kinds[at] != kind)
          continue;
        const Box whole{origin.x + static_cast<double>(keys[c]) * unit.width,
                        origin.y + static_cast<double>(rows[r]) * unit.height,
                        static_cast<double>(keys[c + 1] - keys[c]) * unit.width,
                        static_cast<double>(rows[r + 1] - rows[r]) * unit.height};
        const Box tile = cut(whole, box);
        if (tile.width > 0 && tile.height > 0)
          fills.push_back(tile);
      }
    for (const Box& tile : fills) {
      list.add(StrokeBox{tile, look.edge, 1});
      if (kind == TileKind::Partial && std::min(tile.width, tile.height) >= kLeastStroke)
        list.add(Polyline{{{tile.x, tile.bottom()}, {tile.right(), tile.y}}, look.edge, 1});
    }
    if (!fills.empty())
      list.add(FillBoxes{std::move(fills), look.fill, {0, 0}});
  }
}

} // namespace attention
