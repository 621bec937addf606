#include "app/gui/views/mask/mask_screen.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/raster_image.h"
#include "core/analysis/tiles/tile_layer.h"
#include "core/views/mask/mask_words.h"

#include <algorithm>

namespace attention::gui {
namespace {

constexpr double kLeastSquare = 7; // points per side: smaller ones are grouped
constexpr float kLeastCrossed = 12;

ImU32 tintOf(const Color& c) {
  return IM_COL32(c.r, c.g, c.b, c.a);
}

struct TileBrush {
  ImU32 fill;
  ImU32 edge;
  bool crossed;
};

TileBrush brushOf(TileKind kind, FigureTheme theme) {
  const TileLook look = tileLook(kind == TileKind::Full, theme);
  return {tintOf(look.fill), tintOf(look.edge), kind == TileKind::Partial};
}

void drawTile(const Rect& at, const TileBrush& brush) {
  fill(at, brush.fill);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect(ImVec2(at.x0, at.y0), ImVec2(at.x1, at.y1), brush.edge);
  if (brush.crossed && std::min(widthOf(at), heightOf(at)) >= kLeastCrossed)
    list->AddLine(ImVec2(at.x0, at.y1), ImVec2(at.x1, at.y0), brush.edge);
}

void drawKinds(const MaskFrame& frame, const Lattice& lattice, const std::vector<TileKind>& kinds,
               FigureTheme theme) {
  const TileBrush full = brushOf(TileKind::Full, theme);
  const TileBrush partial = brushOf(TileKind::Partial, theme);
  std::size_t at = 0;
  for (std::size_t r = 0; r + 1 < lattice.rowEdges.size(); ++r) {
    const float top = frame.y(static_cast<double>(lattice.rowEdges[r]));
    const float bottom = frame.y(static_cast<double>(lattice.rowEdges[r + 1]));
    for (std::size_t c = 0; c + 1 < lattice.keyEdges.size(); ++c, ++at)
      if (kinds[at] != TileKind::Empty)
        drawTile({frame.x(static_cast<double>(lattice.keyEdges[c])), top,
                  frame.x(static_cast<double>(lattice.keyEdges[c + 1])), bottom},
                 kinds[at] == TileKind::Full ? full : partial);
  }
}

} // namespace

TilesStanding drawTiles(const MaskScreen& screen, std::size_t tile) {
  const ViewContext& context = screen.context;
  const MaskFrame& frame = screen.frames[tile];
  const BlockSize block = blockOf(context.scene.mask.tiles);
  if (std::min(block.queries, block.keys) < 1 || std::max(block.queries, block.keys) > kMaxLength)
    return {};                                                        // which the facts report
  const auto& prepared = context.results.masks->tiles[tile].prepared; // what kernels read
  const CellRect cells = visibleCells(frame, screen.lengths());
  const double shorter = static_cast<double>(std::min(widthOf(frame.area), heightOf(frame.area)));
  const TileGrid grid =
      tileGrid(cells, screen.lengths(), block, static_cast<Index>(shorter / kLeastSquare));
  // Named by the block: what was counted for another one says nothing about these tiles.
  const std::string name = "tiles " + std::to_string(tile) + " of " +
                           std::to_string(block.queries) + " × " + std::to_string(block.keys);
  const auto raster = context.rasters.coverage(name, {prepared, grid.lattice});
  TilesStanding standing{raster.stale || raster.pending, false, grid.group};
  if (!raster)
    return standing;
  standing.sampled = !raster->coverage.exact;
  const Clip clip(frame.area);
  const Lattice& lattice = raster->key.lattice; // where the tiles of the last frame lay
  drawKinds(frame, lattice, tileKinds(lattice, block, raster->coverage),
            figureTheme(context.ui.theme));
  return standing;
}

} // namespace attention::gui
