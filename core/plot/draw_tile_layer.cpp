#include "core/plot/draw_marks.h"
#include "core/plot/mask_color.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

Box cut(const Box& box, const Box& to) {
  const double x = std::max(box.x, to.x);
  const double y = std::max(box.y, to.y);
  return {x, y, std::min(box.right(), to.right()) - x, std::min(box.bottom(), to.bottom()) - y};
}

// What the squares of a layer cover of `box`, row by row; those outside have no width or height.
std::vector<Box> squaresIn(const TileLayer& layer, const Point& origin, const Size& unit,
                           const Box& box) {
  const auto& rows = layer.grid.lattice.rowEdges;
  const auto& keys = layer.grid.lattice.keyEdges;
  std::vector<Box> squares;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r)
    for (std::size_t c = 0; c + 1 < keys.size(); ++c)
      squares.push_back(cut({origin.x + static_cast<double>(keys[c]) * unit.width,
                             origin.y + static_cast<double>(rows[r]) * unit.height,
                             static_cast<double>(keys[c + 1] - keys[c]) * unit.width,
                             static_cast<double>(rows[r + 1] - rows[r]) * unit.height},
                            box));
  return squares;
}

bool isSeen(const Box& box) {
  return box.width > 0 && box.height > 0;
}

// "12 %", "+0.3 %"; nothing where it rounds to nothing.
std::string massText(double mass, bool changes) {
  constexpr double kLeast = 0.0005;
  constexpr double kWholePercents = 0.01; // smaller shares have a decimal
  const double size = std::abs(mass);
  if (!(size >= kLeast))
    return {};
  return (mass < 0 ? "−" : changes ? "+" : "") + percentText(size, size < kWholePercents ? 1 : 0);
}

} // namespace

void drawTileLayer(const TileLayer& layer, const Point& origin, const Size& unit, const Box& box,
                   FigureTheme theme, DisplayList& list) {
  constexpr double kLeastStroke = 10; // pixels per side from which a partial tile is crossed
  const std::vector<Box> squares = squaresIn(layer, origin, unit, box);
  for (const TileKind kind : {TileKind::Full, TileKind::Partial}) {
    const TileLook look = tileLook(kind == TileKind::Full, theme);
    std::vector<Box> fills;
    for (std::size_t k = 0; k < squares.size(); ++k)
      if (layer.kinds[k] == kind && isSeen(squares[k]))
        fills.push_back(squares[k]);
    for (const Box& tile : fills) {
      list.add(StrokeBox{tile, look.edge, 1});
      if (kind == TileKind::Partial && std::min(tile.width, tile.height) >= kLeastStroke)
        list.add(Polyline{{{tile.x, tile.bottom()}, {tile.right(), tile.y}}, look.edge, 1});
    }
    if (!fills.empty())
      list.add(FillBoxes{std::move(fills), look.fill, {0, 0}});
  }
}

void drawTileMasses(const TileMasses& of, const Point& origin, const Size& unit, const Box& box,
                    const PlotStyle& style, const Drawing& drawing) {
  constexpr double kType = 0.8; // of that of the plot
  constexpr double kAround = 3; // pixels beside the words, at least
  constexpr std::uint8_t kVeil = 200;
  const FigureColors& colors = figureColors(style.theme);
  const std::vector<Box> squares = squaresIn(of.layer, origin, unit, box);
  const double size = kType * style.type;
  for (const TileKind kind : {TileKind::Full, TileKind::Partial})
    for (std::size_t k = 0; k < squares.size(); ++k)
      if (of.layer.kinds[k] == kind && isSeen(squares[k]))
        drawing.list.add(
            StrokeBox{squares[k], tileLook(kind == TileKind::Full, style.theme).edge, 1});
  for (std::size_t k = 0; k < squares.size(); ++k) {
    const Box& at = squares[k];
    const std::string words = massText(of.masses[k], of.changes);
    const double width = drawing.measure(words, size, false) + 2 * kAround;
    if (words.empty() || width > at.width || 1.5 * size > at.height)
      continue;
    Color veil = colors.ground;
    veil.a = kVeil;
    const Point middle{at.x + at.width / 2, at.y + at.height / 2};
    drawing.list.add(FillBoxes{
        {{middle.x - width / 2, middle.y - 0.65 * size, width, 1.3 * size}}, veil, {0, 0}});
    drawing.list.add(Text{{middle.x, middle.y + 0.35 * size},
                          words,
                          size,
                          of.layer.kinds[k] == TileKind::Empty ? colors.dim : colors.text,
                          TextAlign::Center});
  }
}

} // namespace attention
