// The pixels of PNGs as libpng's simple reader gives them.
#pragma once

#include "core/plot/display_list.h"
#include "tests/catch.h"

#include <png.h>

#include <string>

// The index of the pixel in column x and row y.
inline std::size_t placeOf(const attention::Image& image, int x, int y) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
         static_cast<std::size_t>(x);
}

// From a file's bytes; for an animated one, what programs without animation support show.
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
