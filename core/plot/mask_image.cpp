#include "core/plot/mask_raster.h"

#include "core/pattern/coverage_rows.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace attention {
namespace {

// The colours of the pixels of a row. Far fewer counts occur in a row than it has pixels, so that
// mixed colours are kept, each where the counts' hash says.
class PixelMixer {
public:
  PixelMixer(std::span<const std::span<const Index>> counts, const MaskPalette& palette,
             double leastShare)
      : counts_(counts.first(std::min(counts.size(), palette.hues.size()))), palette_(palette),
        leastShare_(leastShare) {}

  Color at(std::size_t pixel, Index cells) {
    Counts now{};
    Index total = 0;
    std::uint64_t hash = static_cast<std::uint64_t>(cells) * kOdd;
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      now[k] = counts_[k][pixel];
      total += now[k];
      hash = (hash ^ static_cast<std::uint64_t>(now[k])) * kOdd;
    }
    if (total <= 0)
      return palette_.ground;
    Kept& kept = kept_[hash >> (64 - kKeptBits)];
    if (kept.cells != cells || kept.counts != now)
      kept = {now, cells, mixed(now, total, cells)};
    return kept.color;
  }

private:
  using Counts = std::array<Index, kMostPartsShown>;
  struct Kept {
    Counts counts{};
    Index cells = 0;
    Color color;
  };
  static constexpr int kKeptBits = 6;
  static constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio

  Color mixed(const Counts& counts, Index total, Index cells) const {
    const Index shown =
        leastShare_ > 0
            ? std::min(cells, static_cast<Index>(static_cast<double>(total) / leastShare_))
            : cells;
    return shown <= 0 ? palette_.ground
                      : pixelColor({counts.data(), counts_.size()}, shown, palette_);
  }

  std::span<const std::span<const Index>> counts_;
  const MaskPalette& palette_;
  double leastShare_;
  std::array<Kept, 1U << kKeptBits> kept_{};
};

} // namespace

void mixRow(std::span<const std::span<const Index>> counts, Index height,
            std::span<const Index> keyEdges, const MaskPalette& palette, double leastShare,
            std::span<Color> colors) {
  PixelMixer mixer(counts, palette, leastShare);
  for (std::size_t b = 0; b < colors.size(); ++b)
    colors[b] = mixer.at(b, height * (keyEdges[b + 1] - keyEdges[b]));
}

Image maskImage(const Prepared& pattern, const Lattice& lattice, const MaskPalette& palette,
                double leastShare, const Run& run, int threads) {
  const CoverageRows rows(pattern, lattice);
  const auto cols = static_cast<std::size_t>(lattice.cols());
  Image image{static_cast<int>(lattice.cols()), static_cast<int>(lattice.rows()), {}};
  image.pixels.resize(cols * static_cast<std::size_t>(lattice.rows()));
  constexpr Index kRowsPerChunk = 8; // that share the memory of their counts
  parallelFor(ceilDiv(lattice.rows(), kRowsPerChunk), threads, run, [&](Index chunk) {
    std::vector<Index> counts(rows.planes() * cols);
    std::vector<std::span<Index>> planes;
    std::vector<std::span<const Index>> counted;
    for (std::size_t k = 0; k < rows.planes(); ++k)
      counted.push_back(planes.emplace_back(std::span(counts).subspan(k * cols, cols)));
    const Index end = std::min(lattice.rows(), (chunk + 1) * kRowsPerChunk);
    for (Index row = chunk * kRowsPerChunk; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      std::fill(counts.begin(), counts.end(), 0);
      rows.add(row, planes, run);
      mixRow(counted, lattice.rowEdges[at + 1] - lattice.rowEdges[at], lattice.keyEdges, palette,
             leastShare, std::span(image.pixels).subspan(at * cols, cols));
    }
  });
  return image;
}

} // namespace attention
