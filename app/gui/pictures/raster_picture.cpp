#include "app/gui/pictures/raster_picture.h"

#include "app/gui/pictures/paint.h"
#include "app/gui/platform/imgui_compat.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention::gui {
namespace {

Index pixelsOf(float points, float density) {
  return std::max<Index>(std::lround(points * density), 1);
}

bool unitSteps(const std::vector<Index>& edges) {
  return edges.back() - edges.front() == static_cast<Index>(edges.size()) - 1;
}

constexpr double kLeastInStrip = 0.6;

gl::Pixels imageOf(const CoverageRaster& raster, FigureTheme theme, RasterPicture::Look look) {
  MaskPalette palette = maskPalette(*raster.key.prepared, theme);
  const bool strip = look == RasterPicture::Look::Strip;
  if (strip)
    palette.ground = figureColors(theme).empty;
  return coverageImage(raster.coverage, raster.key.lattice, palette, strip ? kLeastInStrip : 0);
}

gl::Pixels imageOf(const WeightsRaster& raster, FigureTheme theme, RasterPicture::Look) {
  return weightsImage(raster.weights, raster.largest, theme);
}

bool sameScale(const TexelAxis& axis, double scale) {
  return axis.texels > 0 && std::abs(axis.scale - scale) < 1e-9 * scale;
}

} // namespace

TexelAxes axesOf(const MaskFrame& frame, const Lengths& lengths, float density) {
  const double scale = frame.scale * static_cast<double>(density);
  const Rect& a = frame.area;
  return {texelAxis(lengths.queries, frame.query0, scale, pixelsOf(a.y1 - a.y0, density)),
          texelAxis(lengths.keys, frame.key0, scale, pixelsOf(a.x1 - a.x0, density))};
}

void RasterPicture::take(const gl::Pixels& image, const TexelAxes& axes, const Lattice& lattice,
                         bool cells) {
  target_.reset();
  sharp_ = cells;
  const auto filter = cells ? gl::TexelFilter::Nearest : gl::TexelFilter::Linear;
  texture_.emplace(image.width, image.height, gl::TexelFormat::Rgba8, filter);
  texture_->upload(std::as_bytes(std::span(image.rgba)));
  axes_ = axes;
  rows_ = {static_cast<double>(lattice.rowEdges.front()),
           static_cast<double>(lattice.rowEdges.back())};
  keys_ = {static_cast<double>(lattice.keyEdges.front()),
           static_cast<double>(lattice.keyEdges.back())};
}

template <class Raster>
void RasterPicture::showRaster(const Latest<Raster>& raster, const TexelAxes& axes,
                               FigureTheme theme) {
  if (!raster)
    return;
  const Lattice& lattice = raster->key.lattice;
  const bool current = lattice.rowEdges == axes.rows.edges && lattice.keyEdges == axes.keys.edges;
  const std::shared_ptr<const void> source = raster.value;
  if (shows(source, theme) && (!current || axes_ == axes))
    return;
  gl::Pixels image = imageOf(*raster, theme, look_);
  if (current)
    take(filteredImage(std::move(image), axes.rows, axes.keys), axes, lattice,
         axes.keys.kind == TexelKind::Cells);
  else
    take(image, {}, lattice, unitSteps(lattice.keyEdges));
  source_ = source;
  theme_ = theme;
}

void RasterPicture::show(const Latest<CoverageRaster>& raster, const TexelAxes& axes,
                         FigureTheme theme) {
  showRaster(raster, axes, theme);
}

void RasterPicture::show(const Latest<WeightsRaster>& raster, const TexelAxes& axes,
                         FigureTheme theme) {
  showRaster(raster, axes, theme);
}

void RasterPicture::show(MaskShader& shader, const std::shared_ptr<const Prepared>& prepared,
                         const TexelAxes& axes, FigureTheme theme) {
  const std::shared_ptr<const void> source = prepared;
  if (shows(source, theme) && axes_ == axes)
    return;
  const int width = static_cast<int>(axes.keys.texels);
  const int height = static_cast<int>(axes.rows.texels);
  if (!target_ || target_->width() != width || target_->height() != height)
    target_.emplace(width, height);
  shader.draw(*prepared, axes.lattice(), maskPalette(*prepared, theme), *target_);
  texture_.reset();
  axes_ = axes;
  rows_ = {static_cast<double>(axes.rows.edges.front()),
           static_cast<double>(axes.rows.edges.back())};
  keys_ = {static_cast<double>(axes.keys.edges.front()),
           static_cast<double>(axes.keys.edges.back())};
  source_ = source;
  theme_ = theme;
}

void RasterPicture::show(const std::shared_ptr<const void>& source, const gl::Pixels& image,
                         FigureTheme theme) {
  take(image, {}, {{0, 1}, {0, 1}}, true);
  source_ = source;
  theme_ = theme;
}

ImTextureID RasterPicture::handle() const {
  return texture_ ? textureHandle(*texture_) : textureHandle(target_->texture());
}

void RasterPicture::drawImage(ImVec2 from, ImVec2 to) const {
  if (texture_ && sharp_)
    drawSharpImage(handle(), from, to);
  else
    ImGui::GetWindowDrawList()->AddImage(handle(), from, to);
}

RasterPicture::Place RasterPicture::keysPlace(const MaskFrame& frame, float density) const {
  const auto d = static_cast<double>(density);
  if (!sameScale(axes_.keys, frame.scale * d))
    return {frame.x(keys_.begin), frame.x(keys_.end)};
  const double origin = pixelStart(axes_.keys, frame.key0);
  return {frame.area.x0 + static_cast<float>((axes_.keys.begin() - origin) / d),
          frame.area.x0 + static_cast<float>((axes_.keys.end() - origin) / d)};
}

RasterPicture::Place RasterPicture::rowsPlace(const MaskFrame& frame, float density) const {
  const auto d = static_cast<double>(density);
  if (!sameScale(axes_.rows, frame.scale * d))
    return {frame.y(rows_.begin), frame.y(rows_.end)};
  const double origin = pixelStart(axes_.rows, frame.query0);
  return {frame.area.y0 + static_cast<float>((axes_.rows.begin() - origin) / d),
          frame.area.y0 + static_cast<float>((axes_.rows.end() - origin) / d)};
}

void RasterPicture::drawAt(const Place& x, const Place& y, const Rect& clip) const {
  if (empty())
    return;
  const Clip cut(clip);
  drawImage(ImVec2(x.from, y.from), ImVec2(x.to, y.to));
}

void RasterPicture::draw(const MaskFrame& frame, float density) const {
  drawAt(keysPlace(frame, density), rowsPlace(frame, density), frame.area);
}

void RasterPicture::drawRow(const MaskFrame& frame, float density, const Rect& strip) const {
  drawAt(keysPlace(frame, density), {strip.y0, strip.y1}, strip);
}

void RasterPicture::drawColumn(const MaskFrame& frame, float density, const Rect& strip) const {
  drawAt({strip.x0, strip.x1}, rowsPlace(frame, density), strip);
}

void RasterPicture::drawOver(const Rect& area) const {
  if (!empty())
    drawImage(ImVec2(area.x0, area.y0), ImVec2(area.x1, area.y1));
}

} // namespace attention::gui
