#include "app/gui/views/raster_image.h"

#include "core/figure/mask_image.h"

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

// One line of texels from one line of cells; both `step` bytes apart.
void filterLine(const TexelAxis& axis, const std::uint8_t* cells, std::uint8_t* pixels,
                std::size_t cellStep, std::size_t pixelStep, const std::vector<CellShare>& shares) {
  const std::size_t last = axis.edges.size() - 2;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const std::uint8_t* first = cells + cellStep * shares[k].cell;
    const std::uint8_t* next = cells + cellStep * std::min(shares[k].cell + 1, last);
    const auto share = static_cast<unsigned>(std::lround(shares[k].share * 256));
    for (std::size_t c = 0; c < 4; ++c)
      pixels[pixelStep * k + c] =
          static_cast<std::uint8_t>((first[c] * share + next[c] * (256 - share) + 128) >> 8);
  }
}

std::vector<CellShare> sharesOf(const TexelAxis& axis) {
  std::vector<CellShare> shares(static_cast<std::size_t>(axis.texels));
  for (std::size_t k = 0; k < shares.size(); ++k)
    shares[k] = cellShare(axis, static_cast<Index>(k));
  return shares;
}

gl::Pixels filterKeys(const gl::Pixels& cells, const TexelAxis& keys) {
  gl::Pixels image = blank(keys.texels, cells.height);
  const std::vector<CellShare> shares = sharesOf(keys);
  for (int row = 0; row < cells.height; ++row)
    filterLine(keys, cells.at(0, row),
               image.rgba.data() + 4 * static_cast<std::size_t>(row) * shares.size(), 4, 4, shares);
  return image;
}

gl::Pixels filterRows(const gl::Pixels& cells, const TexelAxis& rows) {
  gl::Pixels image = blank(cells.width, rows.texels);
  const std::vector<CellShare> shares = sharesOf(rows);
  const std::size_t line = 4 * static_cast<std::size_t>(cells.width);
  for (std::size_t column = 0; column < line; column += 4)
    filterLine(rows, cells.rgba.data() + column, image.rgba.data() + column, line, line, shares);
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

gl::Pixels filteredImage(const gl::Pixels& cells, const TexelAxis& rows, const TexelAxis& keys) {
  gl::Pixels image = keys.kind == TexelKind::Filtered ? filterKeys(cells, keys) : cells;
  return rows.kind == TexelKind::Filtered ? filterRows(image, rows) : image;
}

} // namespace attention::gui
