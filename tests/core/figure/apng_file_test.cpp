// Animated PNGs: what is read back is what was added, and what does not move costs nothing.
#include "core/export/apng_file.h"

#include "tests/core/figure/apng_frames.h"
#include "tests/core/figure/png_pixels.h"

#include <random>
#include <sstream>

using namespace attention;

namespace {

Image plain(int width, int height, const Color& color) {
  Image image{width, height, {}};
  image.pixels.assign(placeOf(image, 0, height), color);
  return image;
}

Color& at(Image& image, int x, int y) {
  return image.pixels[placeOf(image, x, y)];
}

std::string written(const std::vector<Image>& frames, double seconds = 0.1) {
  std::ostringstream stream;
  ApngWriter apng(stream, {frames[0].width, frames[0].height}, frames.size(), "");
  for (const Image& frame : frames)
    apng.add(frame, seconds);
  apng.finish();
  return stream.str();
}

class Draws {
public:
  explicit Draws(unsigned seed) : random_(seed) {}

  int upTo(int most) { return std::uniform_int_distribution(0, most)(random_); }
  // Black is among them, since clear pixels are black too.
  Color color() {
    const auto shade = [&] { return static_cast<std::uint8_t>(127 * upTo(2)); };
    return {shade(), shade(), shade()};
  }

private:
  std::mt19937 random_;
};

// Each frame equals the one before except random pixels in a random box, sometimes none.
std::vector<Image> randomFrames(unsigned seed) {
  Draws draw(seed);
  std::vector<Image> frames{plain(draw.upTo(40) + 1, draw.upTo(40) + 1, draw.color())};
  for (int k = draw.upTo(6); k > 0; --k) {
    Image frame = frames.back();
    const int left = draw.upTo(frame.width);
    const int top = draw.upTo(frame.height);
    const int right = left + draw.upTo(frame.width - left);
    const int bottom = top + draw.upTo(frame.height - top);
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        at(frame, x, y) = draw.color();
    frames.push_back(frame);
  }
  return frames;
}

} // namespace

TEST_CASE("an animated PNG shows the pixels that it was given", "[animation]") {
  const auto seed = static_cast<unsigned>(GENERATE(range(0, 50)));
  CAPTURE(seed);
  const std::vector<Image> frames = randomFrames(seed);
  const std::vector<ApngFrame> read = framesIn(written(frames));
  REQUIRE(read.size() == frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k)
    CHECK(read[k].shown == frames[k]);
}

TEST_CASE("programs without support for animation show the first frame", "[animation]") {
  const std::vector<Image> frames = randomFrames(3);
  CHECK(pixelsOf(written(frames)) == frames.front());
}

TEST_CASE("for one changed pixel one pixel is written", "[animation]") {
  const auto [x, y] =
      GENERATE(std::pair(0, 0), std::pair(8, 0), std::pair(0, 6), std::pair(8, 6), std::pair(4, 3));
  std::vector<Image> frames(2, plain(9, 7, colorOf(0x204060)));
  at(frames[1], x, y) = colorOf(0x000000);
  const ApngFrame last = framesIn(written(frames)).back();
  CHECK(last.left == x);
  CHECK(last.top == y);
  CHECK(last.part == plain(1, 1, colorOf(0x000000)));
}

TEST_CASE("unchanged pixels between changed ones are transparent", "[animation]") {
  std::vector<Image> frames(2, plain(9, 7, colorOf(0x204060)));
  for (const auto& [x, y] : {std::pair(2, 1), std::pair(5, 4)})
    at(frames[1], x, y) = colorOf(0xFFFFFF);
  const ApngFrame last = framesIn(written(frames)).back();
  Image wanted = plain(4, 4, {0, 0, 0, 0});
  at(wanted, 0, 0) = at(wanted, 3, 3) = colorOf(0xFFFFFF);
  CHECK(last.part == wanted);
}

TEST_CASE("a frame like the one before costs one pixel, whatever its size", "[animation]") {
  const Image frame = plain(300, 200, colorOf(0x204060));
  const std::string once = written({frame});
  const std::string often = written({frame, frame, frame});
  CHECK(often.size() - once.size() < 2 * 120);
  for (const ApngFrame& read : framesIn(often))
    CHECK(read.shown == frame);
}

TEST_CASE("frames last milliseconds, up to 65 seconds", "[animation]") {
  const auto [seconds, milliseconds] =
      GENERATE(std::pair(0.1, 100), std::pair(0.0125, 13), std::pair(2.0, 2000),
               std::pair(100.0, 65535), std::pair(0.0, 1));
  const Image frame = plain(2, 2, {});
  for (const ApngFrame& read : framesIn(written({frame, frame}, seconds)))
    CHECK(read.milliseconds == milliseconds);
}
