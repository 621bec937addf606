// Palettes of pictures that have more colours than a file can hold.
#include "core/export/palette.h"

#include "tests/catch.h"

#include <algorithm>
#include <random>

using namespace attention;

namespace {

int distance(const Color& a, const Color& b) {
  return (a.r - b.r) * (a.r - b.r) + (a.g - b.g) * (a.g - b.g) + (a.b - b.b) * (a.b - b.b);
}

std::vector<Color> randomPixels(std::size_t count, unsigned seed) {
  std::mt19937 draw(seed);
  std::vector<Color> pixels(count);
  for (Color& pixel : pixels)
    pixel = colorOf(draw() & 0xFFFFFF);
  return pixels;
}

} // namespace

TEST_CASE("a palette with room for all colours keeps each as it is", "[palette]") {
  const std::vector<Color> pixels = randomPixels(200, 1);
  const Palette palette(pixels, 200);
  for (const Color& pixel : pixels)
    CHECK(palette.colors()[palette.at(pixel)] == pixel);
}

TEST_CASE("with less room the commonest colours stay and others become the nearest", "[palette]") {
  std::vector<Color> pixels = randomPixels(2000, 2);
  const Color white = colorOf(0xFFFFFF);
  const Color blue = colorOf(0x0072B2);
  pixels.insert(pixels.end(), 500, white);
  pixels.insert(pixels.end(), 300, blue);
  const auto most = static_cast<std::size_t>(GENERATE(2, 17, 255));
  const Palette palette(pixels, most);
  CHECK(palette.colors().size() == most);
  CHECK(palette.colors()[palette.at(white)] == white);
  CHECK(palette.colors()[palette.at(blue)] == blue);
  for (const Color& pixel : pixels) {
    const int its = distance(palette.colors()[palette.at(pixel)], pixel);
    for (const Color& other : palette.colors())
      CHECK(its <= distance(other, pixel));
  }
}

TEST_CASE("colours that are nearly the same take one place, which the commonest names",
          "[palette]") {
  const Color common{160, 80, 40, 255};
  const Color alike{163, 81, 42, 255};
  const Color far{10, 200, 200, 255};
  const Palette palette(std::vector<Color>{alike, common, common, far}, 2);
  CHECK(palette.colors()[palette.at(alike)] == common);
  CHECK(palette.colors()[palette.at(far)] == far);
}
