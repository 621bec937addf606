#include "core/plot/display_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace attention {
namespace {

// What pixel `at` of `count` covers of `cells` in a row: the first of them, and the share of each.
struct Cover {
  int first = 0;
  std::vector<double> shares; // sum 1
};

std::vector<Cover> coversOf(int cells, int count) {
  std::vector<Cover> covers(static_cast<std::size_t>(count));
  const double scale = static_cast<double>(cells) / count;
  for (int at = 0; at < count; ++at) {
    const double begin = at * scale;
    const double end = begin + scale;
    Cover& cover = covers[static_cast<std::size_t>(at)];
    cover.first = std::min(static_cast<int>(begin), cells - 1);
    for (int cell = cover.first; cell < cells && cell < end; ++cell)
      cover.shares.push_back((std::min(end, cell + 1.0) - std::max(begin, 1.0 * cell)) / scale);
  }
  return covers;
}

using Sum = std::array<double, 4>; // red, green, blue, alpha

void addTo(Sum& sum, const Color& color, double share) {
  const std::uint8_t channels[4] = {color.r, color.g, color.b, color.a};
  for (std::size_t c = 0; c < 4; ++c)
    sum[c] += share * channels[c];
}

Color colorOf(const Sum& sum) {
  const auto channel = [&](std::size_t c) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(sum[c]), 0L, 255L));
  };
  return {channel(0), channel(1), channel(2), channel(3)};
}

} // namespace

Image resampled(const Image& image, int width, int height, const Run& run) {
  const std::vector<Cover> columns = coversOf(image.width, width);
  const std::vector<Cover> rows = coversOf(image.height, height);
  Image result{width, height, {}};
  result.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (const Cover& row : rows) {
    run.check();
    for (const Cover& column : columns) {
      Sum sum{};
      for (std::size_t y = 0; y < row.shares.size(); ++y)
        for (std::size_t x = 0; x < column.shares.size(); ++x) {
          const auto cell = static_cast<std::size_t>(row.first + static_cast<int>(y)) *
                                static_cast<std::size_t>(image.width) +
                            static_cast<std::size_t>(column.first) + x;
          addTo(sum, image.pixels[cell], row.shares[y] * column.shares[x]);
        }
      result.pixels.push_back(colorOf(sum));
    }
  }
  return result;
}

} // namespace attention
