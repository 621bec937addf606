#include "app/gui/views/raster_image.h"

#include <algorithm>
#include <array>
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
  const std::size_t planes = std::min(coverage.counts.size(), palette.hues.size());
  std::array<Index, kMostPartsShown> counts{};
  std::size_t pixel = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(coverage.rows); ++a)
    for (std::size_t b = 0; b < static_cast<std::size_t>(coverage.cols); ++b, ++pixel) {
      Index total = 0;
      for (std::size_t k = 0; k < planes; ++k)
        total += counts[k] = coverage.counts[k][pixel];
      Index cells = (lattice.rowEdges[a + 1] - lattice.rowEdges[a]) *
                    (lattice.keyEdges[b + 1] - lattice.keyEdges[b]);
      if (leastShare > 0)
        cells = std::min(cells, static_cast<Index>(static_cast<double>(total) / leastShare));
      put(image, pixel,
          total <= 0 || cells <= 0 ? palette.ground
                                   : pixelColor({counts.data(), planes}, cells, palette));
    }
  return image;
}

Color weightColor(double share, const Color& ground, FigureTheme theme) {
  if (share <= 0)
    return ground;
  const bool light = theme == FigureTheme::Light;
  const Color middle = figureColors(theme).series[0];
  const Color most = light ? colorOf(0x1a0f2e) : colorOf(0xfff4c2);
  const double at = std::clamp(std::sqrt(share), kLeastShare, 1.0);
  constexpr double kMiddle = 0.6;
  return at < kMiddle ? mix(ground, middle, at / kMiddle)
                      : mix(middle, most, (at - kMiddle) / (1 - kMiddle));
}

gl::Pixels weightsImage(const Matrix<float>& weights, float largest, FigureTheme theme) {
  gl::Pixels image = blank(weights.cols(), weights.rows());
  const Color ground = figureColors(theme).ground;
  const double unit = largest > 0 ? 1.0 / static_cast<double>(largest) : 0;
  const std::vector<float>& values = weights.values();
  for (std::size_t k = 0; k < values.size(); ++k)
    put(image, k, weightColor(static_cast<double>(values[k]) * unit, ground, theme));
  return image;
}

gl::Pixels filteredImage(const gl::Pixels& cells, const TexelAxis& rows, const TexelAxis& keys) {
  gl::Pixels image = keys.kind == TexelKind::Filtered ? filterKeys(cells, keys) : cells;
  return rows.kind == TexelKind::Filtered ? filterRows(image, rows) : image;
}

} // namespace attention::gui
