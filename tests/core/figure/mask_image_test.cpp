#include "core/plot/mask_raster.h"
#include "tests/catch.h"
#include "tests/core/pattern/random_pattern.h"

using namespace attention;

// Pixel by pixel with pixelColor, from counts that are held whole.
TEST_CASE("A picture of a mask has the right colour at every pixel") {
  const int mechanism = GENERATE(range(0, static_cast<int>(allMechanisms().size())));
  const double leastShare = GENERATE(0.0, 0.6);
  Dice dice(300 + mechanism);
  const Index n = dice.within(2, 40);
  const Pattern pattern = randomPattern(dice, static_cast<std::size_t>(mechanism), n);
  INFO(shortText(pattern) << ", n = " << n);
  const auto prepared = prepare(pattern, squareLengths(n), randomData(n));
  const Lattice lattice = latticeOver(prepared->bounds(), dice.within(1, 12), dice.within(1, 12));
  const MaskPalette palette = maskPalette(*prepared, FigureTheme::Light);
  const Image image = maskImage(*prepared, lattice, palette, leastShare, {}, 2);
  REQUIRE(image.width == lattice.cols());
  REQUIRE(image.height == lattice.rows());
  const Coverage coverage = computeCoverage(*prepared, lattice);
  int wrong = 0;
  for (std::size_t pixel = 0; pixel < image.pixels.size(); ++pixel) {
    const std::size_t a = pixel / static_cast<std::size_t>(image.width);
    const std::size_t b = pixel % static_cast<std::size_t>(image.width);
    std::vector<Index> counts;
    Index total = 0;
    for (const std::vector<Index>& plane : coverage.counts) {
      counts.push_back(plane[pixel]);
      total += plane[pixel];
    }
    Index cells = (lattice.rowEdges[a + 1] - lattice.rowEdges[a]) *
                  (lattice.keyEdges[b + 1] - lattice.keyEdges[b]);
    if (leastShare > 0)
      cells = std::min(cells, static_cast<Index>(static_cast<double>(total) / leastShare));
    const Color wanted = total == 0 ? palette.ground : pixelColor(counts, cells, palette);
    wrong += image.pixels[pixel] == wanted ? 0 : 1;
  }
  CHECK(wrong == 0);
}
