#include "app/cli/reach_files.h"

#include "core/figure/export_mask.h"
#include "core/figure/mask_lists.h"
#include "core/figure/png_file.h"
#include "core/input/npy_writer.h"
#include "core/input/replace_file.h"
#include "core/support/error.h"

#include <algorithm>
#include <ostream>

namespace attention::cli {
namespace {

constexpr Index kMostPixels = 4096;     // a side; more hops a pixel show their largest
constexpr Index kPixelsOfFewHops = 512; // a side that few cells are blown up to

void writeHopsNpy(const HopMatrix& hops, const std::string& path, const Run& run) {
  const Index shape[] = {hops.n(), hops.n()};
  const auto fill = [&](Index i, std::span<std::int32_t> values) {
    for (Index j = 0; j < hops.n(); ++j)
      values[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(hops(i, j));
  };
  writeNpyRows<std::int32_t>(path, shape, fill, run);
}

void writeHopsCsv(const HopMatrix& hops, const std::string& path, const Run& run) {
  Index pairs = 0;
  for (Index i = 0; i < hops.n(); ++i)
    for (Index j = 0; j < hops.n(); ++j)
      pairs += hops(i, j) >= 0 ? 1 : 0;
  if (pairs > kMaxMaskEntries)
    throwRange("hops", std::to_string(pairs) + " reached pairs",
               "at most " + std::to_string(kMaxMaskEntries) + " in a .csv file");
  replaceFile(path, [&](std::ostream& out) {
    out << "i,j,hops\n";
    for (Index i = 0; i < hops.n(); ++i) {
      run.check();
      for (Index j = 0; j < hops.n(); ++j)
        if (hops(i, j) >= 0)
          out << std::to_string(i) << ',' << std::to_string(j) << ',' << std::to_string(hops(i, j))
              << '\n';
    }
  });
}

Index largest(const HopMatrix& hops, Index i0, Index i1, Index j0, Index j1) {
  Index most = -1;
  for (Index i = i0; i < i1; ++i)
    for (Index j = j0; j < j1; ++j)
      most = std::max(most, hops(i, j));
  return most;
}

void writeHopsPng(const HopMatrix& hops, const std::string& path, const Run& run) {
  const Index n = hops.n();
  const Index side = std::min(n * std::max<Index>(kPixelsOfFewHops / n, 1), kMostPixels);
  const RasterAxis axis = rasterAxis(0, n, side);
  const double most = static_cast<double>(std::max<Index>(largest(hops, 0, n, 0, n), 1));
  const FigureColors& colors = figureColors(FigureTheme::Light);
  replaceFile(path, [&](std::ostream& out) {
    PngWriter png(out, {side, side}, {});
    std::vector<Color> row(static_cast<std::size_t>(side));
    const auto edge = [&](Index pixel) {
      const auto step = static_cast<std::size_t>(axis.stepOfPixel[static_cast<std::size_t>(pixel)]);
      return std::pair(axis.edges[step], axis.edges[step + 1]);
    };
    for (Index y = 0; y < side; ++y) {
      run.report(static_cast<double>(y) / static_cast<double>(side));
      const auto [i0, i1] = edge(y);
      for (Index x = 0; x < side; ++x) {
        const auto [j0, j1] = edge(x);
        const Index h = largest(hops, i0, i1, j0, j1);
        // One hop is light already: reached must not look like never.
        const double shade = 0.15 + 0.85 * static_cast<double>(std::max<Index>(h, 0)) / most;
        row[static_cast<std::size_t>(x)] =
            h < 0 ? colors.ground : mix(colors.ground, colors.series[0], shade);
      }
      png.rows(row);
    }
    png.finish();
  });
}

} // namespace

void writeReach(BitMatrix reach, const std::string& path, int threads, const Run& run) {
  MaskExportOptions options;
  options.title = "receptive field";
  options.threads = threads;
  exportMask(reachPattern(std::move(reach)), path, options, run);
}

void writeHops(const HopMatrix& hops, const std::string& path, const Run& run) {
  const std::string ending = endingOf(path);
  if (ending == ".npy")
    writeHopsNpy(hops, path, run);
  else if (ending == ".csv")
    writeHopsCsv(hops, path, run);
  else
    writeHopsPng(hops, path, run);
}

} // namespace attention::cli
