#include "app/gui/pictures/raster_image.h"

#include "core/plot/mask_raster.h"

#include <algorithm>
#include <cmath>

namespace attention::gui {
namespace {

gl::Pixels blank(Index width, Index height) {
  gl::Pixels image{static_cast<int>(width), static_cast<int>(height), {}};
  image.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return image;
}

void put(gl::Pixels& image, std::size_t pixel, const Color& color) {
  std::uint8_t* bytes = image.rgba.data() + 4 * pixel;
  bytes[0] = color.r;
  bytes[1] = color.g;
  bytes[2] = color.b;
  bytes[3] = color.a;
}

// A texel: `share` 256ths of one cell, the rest of the next one.
struct Blend {
  std::size_t first;
  std::size_t next;
  unsigned share;

  std::uint8_t of(std::uint8_t one, std::uint8_t other) const {
    return static_cast<std::uint8_t>((one * share + other * (256 - share) + 128) >> 8);
  }
};

std::vector<Blend> blendsOf(const TexelAxis& axis) {
  const std::size_t last = axis.edges.size() - 2;
  std::vector<Blend> blends;
  for (Index texel = 0; texel < axis.texels; ++texel) {
    const CellShare of = cellShare(axis, texel);
    blends.push_back(
        {of.cell, std::min(of.cell + 1, last), static_cast<unsigned>(std::lround(of.share * 256))});
  }
  return blends;
}

gl::Pixels filterKeys(const gl::Pixels& cells, const TexelAxis& keys) {
  gl::Pixels image = blank(keys.texels, cells.height);
  const std::vector<Blend> blends = blendsOf(keys);
  std::uint8_t* pixel = image.rgba.data();
  for (int row = 0; row < cells.height; ++row)
    for (const Blend& blend : blends) {
      const std::uint8_t* first = cells.at(0, row) + 4 * blend.first;
      const std::uint8_t* next = cells.at(0, row) + 4 * blend.next;
      for (std::size_t c = 0; c < 4; ++c)
        *pixel++ = blend.of(first[c], next[c]);
    }
  return image;
}

gl::Pixels filterRows(const gl::Pixels& cells, const TexelAxis& rows) {
  gl::Pixels image = blank(cells.width, rows.texels);
  const std::size_t line = 4 * static_cast<std::size_t>(cells.width);
  std::uint8_t* to = image.rgba.data();
  for (const Blend& blend : blendsOf(rows)) {
    const std::uint8_t* first = cells.rgba.data() + blend.first * line;
    const std::uint8_t* next = cells.rgba.data() + blend.next * line;
    for (std::size_t byte = 0; byte < line; ++byte)
      *to++ = blend.of(first[byte], next[byte]);
  }
  return image;
}

} // namespace

FigureTheme figureTheme(const Theme& theme) {
  return theme.kind == ThemeKind::Light ? FigureTheme::Light : FigureTheme::Dark;
}

gl::Pixels coverageImage(const Coverage& coverage, const Lattice& lattice,
                         const MaskPalette& palette, double leastShare) {
  gl::Pixels image = blank(coverage.cols, coverage.rows);
  const auto cols = static_cast<std::size_t>(coverage.cols);
  std::vector<Color> colors(cols);
  for (std::size_t row = 0; row < static_cast<std::size_t>(coverage.rows); ++row) {
    std::vector<std::span<const Index>> counts;
    for (const std::vector<Index>& plane : coverage.counts)
      counts.push_back(std::span(plane).subspan(row * cols, cols));
    mixRow(counts, lattice.rowEdges[row + 1] - lattice.rowEdges[row], lattice.keyEdges, palette,
           leastShare, colors);
    for (std::size_t b = 0; b < cols; ++b)
      put(image, row * cols + b, colors[b]);
  }
  return image;
}

gl::Pixels weightsImage(const Matrix<float>& weights, float largest, FigureTheme theme) {
  gl::Pixels image = blank(weights.cols(), weights.rows());
  const double unit = largest > 0 ? 1.0 / static_cast<double>(largest) : 0;
  const std::vector<float>& values = weights.values();
  for (std::size_t k = 0; k < values.size(); ++k)
    put(image, k, weightColor(static_cast<double>(values[k]) * unit, theme));
  return image;
}

gl::Pixels filteredImage(gl::Pixels cells, const TexelAxis& rows, const TexelAxis& keys) {
  if (keys.kind == TexelKind::Filtered)
    cells = filterKeys(cells, keys);
  if (rows.kind == TexelKind::Filtered)
    cells = filterRows(cells, rows);
  return cells;
}

} // namespace attention::gui
