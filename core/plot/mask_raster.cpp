#include "core/plot/mask_raster.h"

#include "core/support/parallel.h"

#include <algorithm>

namespace attention {
namespace {

constexpr Index kBandPixels = Index{1} << 20; // of lattice per band: bounds the memory for counts

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

// Colours of the lattice's steps, band by band.
class LatticePainter {
public:
  LatticePainter(const Prepared& pattern, const MaskPalette& palette, int threads, const Run& run)
      : pattern_(pattern), palette_(palette), threads_(threads), run_(run) {}

  // Colours of the steps of `lattice`, row by row.
  void paint(const Lattice& lattice, std::vector<Color>& colors) const {
    if (singleCells(lattice.rowEdges) && singleCells(lattice.keyEdges))
      paintCells(lattice, colors);
    else
      colors = maskImage(pattern_, lattice, palette_, 0, run_.quiet(), threads_).pixels;
  }

private:
  static bool singleCells(const std::vector<Index>& edges) {
    return edges.back() - edges.front() == static_cast<Index>(edges.size()) - 1;
  }

  // A step is a cell: its first part's hue, painted by ranges from the last part to the first.
  void paintCells(const Lattice& lattice, std::vector<Color>& colors) const {
    constexpr Index kRowsPerChunk = 16;
    colors.assign(at(lattice.rows() * lattice.cols()), palette_.ground);
    const Index rows = lattice.rows();
    parallelFor(ceilDiv(rows, kRowsPerChunk), threads_, run_.quiet(), [&](Index chunk) {
      KeyRanges ranges;
      const Index end = std::min(rows, (chunk + 1) * kRowsPerChunk);
      for (Index row = chunk * kRowsPerChunk; row < end; ++row)
        paintRow(lattice, row, std::span(colors).subspan(at(row * lattice.cols())), ranges);
    });
  }

  void paintRow(const Lattice& lattice, Index row, std::span<Color> colors,
                KeyRanges& ranges) const {
    const Index query = lattice.rowEdges[at(row)];
    const KeySpan span{lattice.keyEdges.front(), lattice.keyEdges.back()};
    const bool oneRamp = palette_.hues.size() != pattern_.parts().size();
    for (std::size_t k = palette_.hues.size(); k-- > 0;) {
      if (oneRamp)
        pattern_.row(query, span, ranges);
      else
        pattern_.row(k, query, span, ranges);
      for (const KeyRange& range : ranges)
        forEachRun(range, [&](Index begin, Index end) {
          std::fill(colors.begin() + (begin - span.begin), colors.begin() + (end - span.begin),
                    palette_.hues[k]);
        });
    }
  }

  const Prepared& pattern_;
  const MaskPalette& palette_;
  int threads_;
  const Run& run_;
};

// Rows of the lattice that are painted at once. Sampling looks at the whole lattice, so that it is
// not cut where rows are sampled.
Index bandRows(const Prepared& pattern, Index rows, Index cols, const Rect& cells) {
  return samplesCoverage(pattern, cells.rowEnd - cells.rowBegin)
             ? rows
             : std::clamp<Index>(kBandPixels / std::max<Index>(cols, 1), 1, rows);
}

// Writes a band of the lattice out as pixels: each row and column as often as it is shown.
void emitPixels(std::span<const Color> colors, Index cols, Index firstStep, Index endStep,
                const RasterAxis& down, const RasterAxis& across, Index& row,
                const PixelBand& band) {
  const std::size_t width = across.stepOfPixel.size();
  const auto rows = static_cast<Index>(down.stepOfPixel.size());
  const bool sameWidth = static_cast<Index>(width) == cols;
  std::vector<Color> line(width);
  for (Index step = firstStep; step < endStep; ++step) {
    const auto source = colors.subspan(at((step - firstStep) * cols), at(cols));
    if (!sameWidth)
      for (std::size_t x = 0; x < width; ++x)
        line[x] = source[at(across.stepOfPixel[x])];
    for (; row < rows && down.stepOfPixel[at(row)] == step; ++row)
      band(row, sameWidth ? source : std::span<const Color>(line));
  }
}

} // namespace

RasterAxis rasterAxis(Index begin, Index end, Index pixels) {
  const Index cells = end - begin;
  const Index steps = std::min(cells, pixels);
  RasterAxis axis;
  for (Index k = 0; k <= steps; ++k)
    axis.edges.push_back(begin + cells * k / steps);
  for (Index pixel = 0; pixel < pixels; ++pixel)
    axis.stepOfPixel.push_back(steps == pixels ? pixel : (2 * pixel + 1) * cells / (2 * pixels));
  return axis;
}

bool samplesRows(const Prepared& pattern, const Rect& cells, const PixelSize& size) {
  const bool cellByCell =
      size.height >= cells.rowEnd - cells.rowBegin && size.width >= cells.keyEnd - cells.keyBegin;
  return samplesCoverage(pattern, cells.rowEnd - cells.rowBegin) && !cellByCell;
}

void rasterMask(const Prepared& pattern, const Rect& cells, const PixelSize& size,
                const MaskPalette& palette, const PixelBand& band, int threads, const Run& run) {
  const RasterAxis down = rasterAxis(cells.rowBegin, cells.rowEnd, size.height);
  const RasterAxis across = rasterAxis(cells.keyBegin, cells.keyEnd, size.width);
  const auto rows = static_cast<Index>(down.edges.size()) - 1;
  const auto cols = static_cast<Index>(across.edges.size()) - 1;
  const Index step = bandRows(pattern, rows, cols, cells);
  LatticePainter painter(pattern, palette, threads, run);
  std::vector<Color> colors;
  Index row = 0;
  for (Index first = 0; first < rows; first += step) {
    run.report(static_cast<double>(first) / static_cast<double>(rows));
    const Index end = std::min(rows, first + step);
    painter.paint({{down.edges.begin() + first, down.edges.begin() + end + 1}, across.edges},
                  colors);
    emitPixels(colors, cols, first, end, down, across, row, band);
  }
}

} // namespace attention
