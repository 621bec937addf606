#include "core/plot/resample.h"

#include "tests/catch.h"

#include <cstdlib>

using namespace attention;

namespace {

Image stripes(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.pixels.push_back((x + y) % 3 == 0 ? Color{200, 100, 0, 255} : Color{20, 40, 60, 255});
  return image;
}

double meanRed(const Image& image) {
  double sum = 0;
  for (const Color& pixel : image.pixels)
    sum += pixel.r;
  return sum / static_cast<double>(image.pixels.size());
}

} // namespace

TEST_CASE("a picture at its own resolution or a whole multiple keeps its pixels") {
  const Image image = stripes(6, 4);
  CHECK(resampled(image, 6, 4) == image);
  const Image twice = resampled(image, 12, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 12; ++x)
      CHECK(twice.pixels[static_cast<std::size_t>(12 * y + x)] ==
            image.pixels[static_cast<std::size_t>(6 * (y / 2) + x / 2)]);
}

TEST_CASE("resampling keeps the mean colour at any resolution") {
  const Image image = stripes(GENERATE(1, 7, 30), GENERATE(1, 5, 24));
  const Image other = resampled(image, GENERATE(1, 4, 13, 50), GENERATE(2, 17));
  // Rounding moves each pixel by half a step at most.
  CHECK(std::abs(meanRed(other) - meanRed(image)) <= 0.5);
  CHECK(std::all_of(other.pixels.begin(), other.pixels.end(),
                    [](const Color& pixel) { return pixel.a == 255; }));
}

TEST_CASE("a pixel that covers two cells has their mean by area") {
  Image image{3, 1, {{0, 0, 0, 255}, {90, 90, 90, 255}, {255, 255, 255, 255}}};
  const Image two = resampled(image, 2, 1);
  CHECK(two.pixels[0].r == 30);  // one cell and a half: (0 + 90 / 2) / 1.5
  CHECK(two.pixels[1].r == 200); // (90 / 2 + 255) / 1.5
}

TEST_CASE("a pixel of weights shows the largest in size of what it touches") {
  Matrix<float> values(100, 100);
  for (Index i = 0; i < 100; ++i)
    values(i, i) = 0.25F; // a diagonal one cell wide
  values(99, 0) = -0.5F;
  const Matrix<float> small = strongest(values, 30, 30);
  for (Index i = 0; i < 30; ++i) {
    CHECK(small(i, i) == 0.25F);
    for (Index j = 0; j < 30; ++j)
      if (std::abs(i - j) > 1 && !(i == 29 && j == 0))
        CHECK(small(i, j) == 0);
  }
  CHECK(small(29, 0) == -0.5F);
  CHECK(strongest(values, 100, 100).values() == values.values());
}

TEST_CASE("wide columns have their pixels, and larger neighbours keep theirs") {
  Matrix<float> values(4, 40);
  for (Index i = 0; i < 4; ++i) {
    values(i, 0) = 0.5F;
    values(i, 20) = 0.25F;
  }
  values(2, 3) = 0.75F; // in the second pixel
  const Matrix<float> small = strongest(values, 4, 20, {{0, 20, 39}, 3});
  for (Index i = 0; i < 4; ++i) {
    CHECK(small(i, 0) == 0.5F);
    CHECK(small(i, 1) == (i == 2 ? 0.75F : 0.5F));
    CHECK(small(i, 2) == 0.5F);
    CHECK(small(i, 3) == 0);
    CHECK(small(i, 8) == 0);
    for (Index x = 9; x < 12; ++x)
      CHECK(small(i, x) == 0.25F); // around its own
    CHECK(small(i, 12) == 0);
    CHECK(small(i, 19) == 0); // a wide column of zeros covers nothing
  }
}
