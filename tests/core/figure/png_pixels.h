// The pixels of PNGs by libpng's own simple reader.
#pragma once

#include "core/plot/display_list.h"
#include "tests/catch.h"

#include <png.h>

#include <string>

// Where the pixel of column x and row y stands among the pixels.
inline std::size_t placeOf(const attention::Image& image, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
         static_cast<std::size_t>(x);
}

// Of a file's bytes; of an animated one what programs show that do not know animations.
inline attention::Image pixelsOf(const std::string& bytes) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) != 0);
  png.format = PNG_FORMAT_RGBA;
  attention::Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.pixels.resize(std::size_t{png.width} * png.height);
  REQUIRE(png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) != 0);
  return image;
}
