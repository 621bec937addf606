// Pixels of matrices made of tables' rows, against the means of the whole matrix.
#include "core/views/encodings/table_pixels.h"
#include "tests/catch.h"

#include <array>

namespace attention {
namespace {

// The mean of the entries of a pixel; thing t of n lies in pixel ⌊t · pixels / n⌋.
double meanOf(const Matrix<float>& whole, Index y, Index x, Index rows, Index cols) {
  double sum = 0;
  Index count = 0;
  for (Index j = 0; j < whole.rows(); ++j)
    for (Index c = 0; c < whole.cols(); ++c)
      if (j * rows / whole.rows() == y && c * cols / whole.cols() == x) {
        sum += static_cast<double>(whole(j, c));
        ++count;
      }
  return sum / static_cast<double>(count);
}

} // namespace

TEST_CASE("pixels are the means of a matrix that is never stored", "[table_pixels]") {
  Matrix<float> first(3, 2); // a row of pixels holds whole rounds of it
  Matrix<float> second(5, 4);
  for (Matrix<float>* table : {&first, &second})
    for (Index r = 0; r < table->rows(); ++r)
      for (Index c = 0; c < table->cols(); ++c)
        (*table)(r, c) = static_cast<float>(r * 7 % 5 + 3 * c);
  const Index each = GENERATE(1, 2, 3);
  const Index rows = 20 * kMostPixelRows + 7;
  Matrix<float> whole(rows, 6);
  for (Index j = 0; j < rows; ++j)
    for (Index c = 0; c < 6; ++c)
      whole(j, c) = c < 2 ? first(j / each % 3, c) : second(j % 5, c - 2);
  const auto pixels =
      pixelMeans(rows, 6, std::array{TablePart{first, each, 0}, TablePart{second, 1, 2}}, {});
  REQUIRE(pixels->rows() == kMostPixelRows);
  REQUIRE(pixels->cols() == 6);
  for (const Index y : {Index{0}, Index{1}, Index{500}, kMostPixelRows - 1})
    for (Index x = 0; x < 6; ++x)
      CHECK(static_cast<double>((*pixels)(y, x)) == Approx(meanOf(whole, y, x, kMostPixelRows, 6)));
}

} // namespace attention
