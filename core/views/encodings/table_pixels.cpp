#include "core/views/encodings/table_pixels.h"

#include <algorithm>
#include <vector>

namespace attention {
namespace {

// The first of the things that pixel k holds: thing t lies in pixel ⌊t · pixels / things⌋.
Index firstOf(Index k, Index pixels, Index things) {
  return (k * things + pixels - 1) / pixels;
}

// A part's sums over pixels: columns of a pixel are added up once, rows as they are asked for.
class PartSums {
public:
  PartSums(const TablePart& part, Index cols, Index pixels)
      : rows_(part.table.rows()), each_(part.each), first_(part.from * pixels / cols),
        sums_(rows_ + 1, (part.from + part.table.cols() - 1) * pixels / cols - first_ + 1) {
    for (Index r = 0; r < rows_; ++r)
      for (Index c = 0; c < part.table.cols(); ++c) {
        const Index x = (part.from + c) * pixels / cols - first_;
        sums_(r, x) += static_cast<double>(part.table(r, c));
        sums_(rows_, x) += static_cast<double>(part.table(r, c));
      }
  }

  // Adds rows [begin, end) of the matrix: whole rounds of the table at once.
  void add(Index begin, Index end, std::span<double> pixels) const {
    const Index rounds = (end - begin) / (rows_ * each_);
    if (rounds > 0)
      addRow(rows_, rounds * each_, pixels);
    for (Index j = begin + rounds * rows_ * each_; j < end;) {
      const Index next = std::min(end, (j / each_ + 1) * each_);
      addRow(j / each_ % rows_, next - j, pixels);
      j = next;
    }
  }

private:
  void addRow(Index row, Index times, std::span<double> pixels) const {
    for (Index x = 0; x < sums_.cols(); ++x)
      pixels[static_cast<std::size_t>(first_ + x)] += static_cast<double>(times) * sums_(row, x);
  }

  Index rows_;
  Index each_;
  Index first_;         // pixel
  Matrix<double> sums_; // row × pixel; the last row is the sum of all
};

} // namespace

std::shared_ptr<const Matrix<float>> pixelMeans(Index rows, Index cols,
                                                std::span<const TablePart> parts, const Run& run) {
  Matrix<float> pixels(std::min(rows, kMostPixelRows), std::min(cols, kMostPixelColumns));
  std::vector<PartSums> sums;
  for (const TablePart& part : parts)
    sums.emplace_back(part, cols, pixels.cols());
  std::vector<double> line(static_cast<std::size_t>(pixels.cols()));
  for (Index y = 0; y < pixels.rows(); ++y) {
    run.check();
    std::fill(line.begin(), line.end(), 0.0);
    const Index begin = firstOf(y, pixels.rows(), rows);
    const Index end = firstOf(y + 1, pixels.rows(), rows);
    for (const PartSums& part : sums)
      part.add(begin, end, line);
    for (Index x = 0; x < pixels.cols(); ++x) {
      const Index across = firstOf(x + 1, pixels.cols(), cols) - firstOf(x, pixels.cols(), cols);
      pixels(y, x) = static_cast<float>(line[static_cast<std::size_t>(x)] /
                                        static_cast<double>((end - begin) * across));
    }
  }
  return std::make_shared<const Matrix<float>>(std::move(pixels));
}

} // namespace attention
