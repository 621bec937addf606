#include "app/gui/views/mask/token_image.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/pictures/view_words.h"
#include "app/gui/views/mask/mask_strips.h"
#include "app/gui/widgets/drawing.h"
#include "app/gui/widgets/group_digits.h"
#include "core/views/mask/mask_figure.h"
#include "core/views/shown_patterns.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

constexpr Index kMostStretches = Index{1} << 22;

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

// The first of `n` units of texel `texel` out of `texels`.
Index unitOf(Index texel, Index texels, Index n) {
  return n * texel / texels;
}

// The texel that holds a unit.
Index texelOf(Index unit, Index texels, Index n) {
  Index texel = unit * texels / n;
  while (texel + 1 < texels && unitOf(texel + 1, texels, n) <= unit)
    ++texel;
  return texel;
}

struct Sums {
  std::vector<Index> counts; // by plane
  Index cells = 0;
};

Sums sumsOf(const CoverageRaster& raster, const ImageTexels& texels, Index row, Index column) {
  Sums sums{std::vector<Index>(raster.coverage.counts.size()), 0};
  const bool whole = texels.columns == 1;
  const Index first = whole ? row : unitOf(row, texels.rows, texels.shape.first);
  const Index last = whole ? row + 1 : unitOf(row + 1, texels.rows, texels.shape.first);
  const auto& edges = raster.key.lattice.keyEdges;
  for (Index stretch = first; stretch < last; ++stretch) {
    const std::size_t k = at(stretch * texels.columns + column);
    for (std::size_t plane = 0; plane < sums.counts.size(); ++plane)
      sums.counts[plane] += raster.coverage.counts[plane][k];
    sums.cells += edges[k + 1] - edges[k];
  }
  return sums;
}

// Where pixel k of a row or column begins, in points, including the gap before it.
float pixelEdge(float from, float cell, Index k, float density) {
  return gapAt(from + cell * static_cast<float>(k), density);
}

// Of the gaps; nothing if pixels are small.
float gapWidth(float cell, float density) {
  return cell * density < 5 ? 0 : 1 / density;
}

void drawImageGaps(const Ui& ui, const Rect& area, const ImageShape& shape, float density) {
  const float cell = widthOf(area) / static_cast<float>(shape.second);
  const float width = gapWidth(cell, density);
  if (width <= 0)
    return;
  const ImU32 ground = color(ui.colors().view);
  for (Index column = 1; column < shape.second; ++column) {
    const float x = pixelEdge(area.x0, cell, column, density);
    fill({x, area.y0, x + width, area.y1}, ground);
  }
  for (Index row = 1; row < shape.first; ++row) {
    const float y = pixelEdge(area.y0, cell, row, density);
    fill({area.x0, y, area.x1, y + width}, ground);
  }
}

struct DrawnImage {
  Rect area;
  ImageShape shape;
  float density = 1; // pixels per point
};

// A frame of `width` points around a token's pixel, on the gaps around it: those before it lie
// within its cell.
void markToken(const Ui& ui, const DrawnImage& of, Index token, float width) {
  const float cell = widthOf(of.area) / static_cast<float>(of.shape.second);
  const float gap = gapWidth(cell, of.density);
  const Index row = token / of.shape.second;
  const Index column = token % of.shape.second;
  const float x = pixelEdge(of.area.x0, cell, column, of.density) + (column > 0 ? gap : 0);
  const float y = pixelEdge(of.area.y0, cell, row, of.density) + (row > 0 ? gap : 0);
  constexpr float kLeast = 3;
  box({x, y, std::max(pixelEdge(of.area.x0, cell, column + 1, of.density), x + kLeast),
       std::max(pixelEdge(of.area.y0, cell, row + 1, of.density), y + kLeast)},
      color(ui.colors().crosshair), width);
}

// As in a file, never none: an image without a query would be blank.
Index imageQuery(const ViewContext& context, const ImageShape& shape) {
  return shownQuery(context).value_or(middleToken(shape));
}

} // namespace

std::optional<ImageShape> shownImage(const Scene& scene, const Lengths& lengths) {
  const ImageSpec& image = scene.mask.image;
  if (!currentImage(scene) || !lengths.square())
    return std::nullopt;
  const Index n = lengths.keys;
  const Index rows = image.rows.value_or(0);
  const Index columns = image.columns.value_or(0);
  const bool fits = (!image.rows || (rows >= 1 && n % rows == 0)) &&
                    (!image.columns || (columns >= 1 && n % columns == 0)) &&
                    (!image.rows || !image.columns || rows * columns == n);
  return fits ? std::optional(imageShape(image, n)) : std::nullopt;
}

Lattice ImageTexels::lattice(Index query) const {
  std::vector<Index> edges;
  edges.reserve(at(stretches() * columns) + 1);
  const Index n = shape.first * shape.second;
  if (columns == 1)
    for (Index row = 0; row < rows; ++row)
      edges.push_back(unitOf(row, rows, shape.first) * shape.second);
  else
    for (Index row = 0; row < shape.first; ++row)
      for (Index column = 0; column < columns; ++column)
        edges.push_back(row * shape.second + unitOf(column, columns, shape.second));
  edges.push_back(n);
  return {{query, query + 1}, std::move(edges)};
}

ImageTexels imageTexels(const ImageShape& shape, Index width, Index height) {
  const Index affordable = std::max<Index>(kMostStretches / shape.first, 1);
  return {shape, std::clamp<Index>(height, 1, shape.first),
          std::min({std::max<Index>(width, 1), shape.second, affordable})};
}

gl::Pixels tokenPixels(const CoverageRaster& raster, const ImageTexels& texels, Index query,
                       FigureTheme theme) {
  MaskPalette palette = maskPalette(*raster.key.prepared, theme);
  palette.ground = figureColors(theme).empty;
  const Index queryRow = texelOf(query / texels.shape.second, texels.rows, texels.shape.first);
  const Index queryColumn =
      texelOf(query % texels.shape.second, texels.columns, texels.shape.second);
  gl::Pixels image{static_cast<int>(texels.columns), static_cast<int>(texels.rows), {}};
  for (Index row = 0; row < texels.rows; ++row)
    for (Index column = 0; column < texels.columns; ++column) {
      const Sums sums = sumsOf(raster, texels, row, column);
      const Color c = row == queryRow && column == queryColumn
                          ? figureColors(theme).query
                          : pixelColor(sums.counts, std::max<Index>(sums.cells, 1), palette);
      image.rgba.insert(image.rgba.end(), {c.r, c.g, c.b, c.a});
    }
  return image;
}

ImageGround::ImageGround(const Ui& ui, const std::optional<RoomElsewhere>& room) {
  if (!room)
    return;
  region_.emplace(ui, room->region);
  const Rect& area = room->area;
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  beginChild("image", ImVec2(widthOf(area), heightOf(area)), false,
             ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
}

ImageGround::~ImageGround() {
  if (region_)
    ImGui::EndChild();
}

Rect imageArea(const Ui& ui, const Rect& room, const ImageShape& shape) {
  const float line = fontSize(ui.fonts.small);
  const float top = room.y0 + line + ui.px(6);
  const float bottom = room.y1 - line - ui.px(6);
  const float ratio =
      std::clamp(static_cast<float>(shape.second) / static_cast<float>(shape.first), 0.02F, 50.0F);
  const float width = std::min(widthOf(room), (bottom - top) * ratio);
  const float x = std::round(room.x0);
  const float y = std::round(top);
  return {x, y, x + std::max(std::floor(width), 8.0F),
          y + std::max(std::floor(width / ratio), 8.0F)};
}

CanvasInput imageInput(const Ui& ui, std::string_view label, const Rect& area,
                       const ImageShape& shape) {
  ImGui::SetCursorScreenPos(ImVec2(area.x0, area.y0));
  return canvas(ui, label, ImVec2(widthOf(area), heightOf(area)),
                std::to_string(shape.first) + " × " + std::to_string(shape.second));
}

std::optional<Index> tokenAt(const Rect& area, const ImageShape& shape, float x, float y) {
  if (x < area.x0 || x >= area.x1 || y < area.y0 || y >= area.y1)
    return std::nullopt;
  const auto share = [](float p, float from, float to, Index n) {
    const auto index = static_cast<Index>((p - from) / (to - from) * static_cast<float>(n));
    return std::clamp<Index>(index, 0, n - 1);
  };
  return share(y, area.y0, area.y1, shape.first) * shape.second +
         share(x, area.x0, area.x1, shape.second);
}

std::string imageWords(const ViewContext& context, const ImageShape& shape) {
  const Index query = imageQuery(context, shape);
  return "query " + groupDigits(query) + ": row " + groupDigits(query / shape.second) +
         ", column " + groupDigits(query % shape.second);
}

void drawTokenImage(const ViewContext& context, const ShownMask& tile, const std::string& slot,
                    const Rect& area, const ImageShape& shape, float density,
                    RasterPicture& picture) {
  const Ui& ui = context.ui;
  const FigureTheme theme = figureTheme(ui.theme);
  fill(area, color(toFloats(figureColors(theme).empty)));
  const Index query = imageQuery(context, shape);
  const auto pixels = [&](float points) { return static_cast<Index>(points * density); };
  const ImageTexels texels = imageTexels(shape, pixels(widthOf(area)), pixels(heightOf(area)));
  const Lattice lattice = texels.lattice(query);
  const auto raster = context.rasters.coverage(slot, {tile.prepared, lattice});
  if (raster && raster->key.lattice.keyEdges == lattice.keyEdges &&
      raster->key.lattice.rowEdges == lattice.rowEdges && !picture.shows(raster.value, theme))
    picture.show(raster.value, tokenPixels(*raster, texels, query, theme), theme);
  picture.drawOver(area);
  drawImageGaps(ui, area, shape, density);
  const DrawnImage drawn{area, shape, density};
  markToken(ui, drawn, query, 2);
  const auto& pinnedKey = context.scene.pins.key;
  if (pinnedKey && *pinnedKey >= 0 && *pinnedKey < shape.first * shape.second)
    markToken(ui, drawn, *pinnedKey, 1);
  if (context.hover.key && *context.hover.key < shape.first * shape.second)
    markToken(ui, drawn, *context.hover.key, 1);
}

void drawImageCaptions(const ViewContext& context, const Rect& room, const Rect& area,
                       const ImageShape& shape) {
  const LineRoom line{room.x0, room.x1};
  const ImVec4& tint = context.ui.colors().dim;
  const std::string size = groupDigits(shape.first) + " × " + groupDigits(shape.second) + " pixels";
  const std::string heading = "tokens as " + size;
  drawLine(context.ui, ImVec2(area.x0, std::round(room.y0)), line, tint,
           firstFitting(context.ui, room.x1 - room.x0, {heading.c_str(), size.c_str()}));
  std::string words = imageWords(context, shape);
  const auto fit = [&] { return textSize(context.ui.fonts.small, words).x <= room.x1 - room.x0; };
  if (!fit()) // the query is named elsewhere
    words.erase(0, words.find(": ") + 2);
  if (!words.empty() && fit())
    drawLine(context.ui, ImVec2(area.x0, area.y1 + context.ui.px(6)), line, tint, words);
}

} // namespace attention::gui
