#include "core/export/encoded_picture.h"

#include "core/export/png_file.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace attention {
namespace {

constexpr std::size_t kLarge = 150'000; // bytes of its files

std::string pngOf(const Image& image) {
  std::ostringstream stream;
  PngWriter png(stream, {image.width, image.height}, {});
  png.rows(image.pixels);
  png.finish();
  return stream.str();
}

EncodedPicture encoded(const Image& light, const Image& dark) {
  if (auto levels = levelPicture(light, dark))
    return {std::move(levels->png), std::nullopt, std::move(levels->table)};
  if (&light == &dark || light == dark)
    return {pngOf(light)};
  return {pngOf(light), pngOf(dark)};
}

std::uint8_t meanOf(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
  return static_cast<std::uint8_t>((a + b + c + d + 2) / 4);
}

// Each pixel is the mean of four; a last odd row or column counts twice.
Image halved(const Image& image) {
  Image half{(image.width + 1) / 2, (image.height + 1) / 2, {}};
  half.pixels.reserve(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height));
  const auto at = [&image](int x, int y) -> const Color& {
    const int row = std::min(y, image.height - 1);
    return image.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                        static_cast<std::size_t>(std::min(x, image.width - 1))];
  };
  for (int y = 0; y < image.height; y += 2)
    for (int x = 0; x < image.width; x += 2) {
      const Color& a = at(x, y);
      const Color& b = at(x + 1, y);
      const Color& c = at(x, y + 1);
      const Color& d = at(x + 1, y + 1);
      half.pixels.push_back(
          {meanOf(a.r, b.r, c.r, d.r), meanOf(a.g, b.g, c.g, d.g), meanOf(a.b, b.b, c.b, d.b)});
    }
  return half;
}

} // namespace

EncodedPicture encodedPicture(const Picture& light, const Picture& dark) {
  EncodedPicture fine = encoded(*light.image, *dark.image);
  const std::size_t bytes = fine.first.size() + (fine.second ? fine.second->size() : 0);
  const bool doubled = light.image->width >= 2 * std::floor(light.box.width);
  return bytes < kLarge || !doubled ? fine : encoded(halved(*light.image), halved(*dark.image));
}

} // namespace attention
