#include "app/gui/pictures/texel_axis.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

// The units [first, second) to hold when `shown` units from `start` on are visible, out of
// `all`: cut at multiples of an eighth of what is shown, with one more such step on each side.
std::pair<Index, Index> withMargin(Index start, Index shown, Index all) {
  const Index step = std::max<Index>(shown / 8, 1);
  const Index first = (floorDiv(start, step) - 1) * step;
  return {std::clamp<Index>(first, 0, all), std::clamp<Index>(first + shown + 3 * step, 0, all)};
}

std::vector<Index> cellEdges(Index first, Index last) {
  std::vector<Index> edges(static_cast<std::size_t>(last - first) + 1);
  for (std::size_t k = 0; k < edges.size(); ++k)
    edges[k] = first + static_cast<Index>(k);
  return edges;
}

std::vector<Index> pixelEdges(Index first, Index last, double scale, Index n) {
  std::vector<Index> edges(static_cast<std::size_t>(last - first) + 1);
  for (std::size_t k = 0; k < edges.size(); ++k)
    edges[k] = std::clamp<Index>(
        std::llround(static_cast<double>(first + static_cast<Index>(k)) / scale), 0, n);
  return edges;
}

} // namespace

TexelAxis texelAxis(Index n, double start, double scale, Index pixels) {
  TexelAxis axis{TexelKind::Cells, {}, scale, 0, 0};
  if (scale >= kSquaresFrom) {
    const auto shown = static_cast<Index>(std::ceil(static_cast<double>(pixels) / scale)) + 1;
    const auto [first, last] = withMargin(static_cast<Index>(std::floor(start)), shown, n);
    axis.edges = cellEdges(first, last);
    axis.first = first;
    axis.texels = last - first;
    return axis;
  }
  auto all = static_cast<Index>(std::ceil(static_cast<double>(n) * scale - 1e-6));
  // Less than half a token may be left for the last pixel: then the one before ends the mask.
  if (scale <= 1 && all > 1 && std::llround(static_cast<double>(all - 1) / scale) >= n)
    --all;
  const auto [first, last] = withMargin(std::llround(start * scale), pixels, all);
  axis.first = first;
  axis.texels = last - first;
  axis.kind = scale > 1 ? TexelKind::Filtered : TexelKind::Pixels;
  if (axis.kind == TexelKind::Pixels) {
    axis.edges = pixelEdges(first, last, scale, n);
    return axis;
  }
  const auto cell = [&](Index pixel) { return static_cast<double>(pixel) / scale; };
  axis.edges = cellEdges(static_cast<Index>(std::floor(cell(first))),
                         std::min(static_cast<Index>(std::ceil(cell(last))), n));
  return axis;
}

TexelAxis wholeAxis(Index n, Index pixels) {
  const Index texels = std::clamp<Index>(pixels, 1, n);
  TexelAxis axis{n > pixels ? TexelKind::Pixels : TexelKind::Cells, {}, 1, 0, texels};
  axis.scale = static_cast<double>(pixels) / static_cast<double>(n);
  for (Index k = 0; k <= texels; ++k)
    axis.edges.push_back(n * k / texels);
  return axis;
}

TexelAxis tokenAxis(Index token) {
  return {TexelKind::Cells, {token, token + 1}, 1, token, 1};
}

double pixelStart(const TexelAxis& axis, double start) {
  const double pixels = start * axis.scale;
  return axis.kind == TexelKind::Cells ? pixels : std::round(pixels);
}

CellShare cellShare(const TexelAxis& axis, Index texel) {
  const double begin = static_cast<double>(axis.first + texel) / axis.scale;
  const double end = static_cast<double>(axis.first + texel + 1) / axis.scale;
  const double firstEnd = std::floor(begin) + 1;
  const auto cell = static_cast<Index>(firstEnd) - 1 - axis.edges.front();
  const Index last = static_cast<Index>(axis.edges.size()) - 2;
  return {static_cast<std::size_t>(std::clamp<Index>(cell, 0, last)),
          std::min((firstEnd - begin) / (end - begin), 1.0)};
}

} // namespace attention::gui
