#include "core/plot/resample.h"

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

namespace {

// Entry `at` of `count` touches these of `cells` in a row.
struct Touched {
  Index begin = 0;
  Index end = 0;
};
Touched touchedBy(Index at, Index count, Index cells) {
  return {at * cells / count, ((at + 1) * cells + count - 1) / count};
}

float strongestIn(const Matrix<float>& values, const Touched& rows, const Touched& columns) {
  float most = 0;
  for (Index i = rows.begin; i < rows.end; ++i)
    for (Index j = columns.begin; j < columns.end; ++j)
      if (std::abs(values(i, j)) > std::abs(most))
        most = values(i, j);
  return most;
}

} // namespace

Matrix<float> strongest(const Matrix<float>& values, Index rows, Index columns,
                        const WideColumns& wide, const Run& run) {
  Matrix<float> result(rows, columns);
  for (Index y = 0; y < rows; ++y) {
    run.check();
    const Touched across = touchedBy(y, rows, values.rows());
    for (Index x = 0; x < columns; ++x)
      result(y, x) = strongestIn(values, across, touchedBy(x, columns, values.cols()));
    for (const Index column : wide.columns) {
      const float own = strongestIn(values, across, {column, column + 1});
      const Index middle = (2 * column + 1) * columns / (2 * values.cols());
      const Index last = std::max<Index>(columns - wide.pixels, 0);
      const Index begin = std::clamp<Index>(middle - wide.pixels / 2, 0, last);
      for (Index x = begin; x < std::min(begin + wide.pixels, columns); ++x)
        if (std::abs(own) > std::abs(result(y, x)))
          result(y, x) = own;
    }
  }
  return result;
}

} // namespace attention
