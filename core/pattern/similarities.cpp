#include "core/pattern/similarities.h"

#include "core/support/tile_products.h"

#include <cmath>

namespace attention {

Similarities::Similarities(SimilarityScore score, const Matrix<double>& of)
    : score_(score), size_(of.rows()), columns_(of.cols(), of.rows()) {
  for (Index j = 0; j < of.rows(); ++j)
    for (Index c = 0; c < of.cols(); ++c)
      columns_(c, j) = of(j, c);
}

void Similarities::compute(MatrixView<const double> x, Index first,
                           MatrixView<double> scores) const {
  assert(first + scores.cols <= size_);
  tileSums<double>(
      score_ == SimilarityScore::Dot ? TileSum::RoundedProducts : TileSum::MinusDistances,
      {x.data, x.stride, 1}, {columns_.data() + first, columns_.cols(), 1}, x.cols, scores);
}

void Similarities::compute(std::span<const double> x, std::span<double> scores) const {
  const auto d = static_cast<Index>(x.size());
  compute({x.data(), 1, d, d}, 0, {scores.data(), 1, size_, size_});
}

Matrix<double> unitRows(const Matrix<double>& of) {
  Matrix<double> unit(of.rows(), of.cols());
  for (Index i = 0; i < of.rows(); ++i) {
    double squares = 0;
    for (Index c = 0; c < of.cols(); ++c)
      squares += of(i, c) * of(i, c);
    const double length = std::sqrt(squares);
    for (Index c = 0; c < of.cols(); ++c)
      unit(i, c) = length > 0 ? of(i, c) / length : 0.0;
  }
  return unit;
}

} // namespace attention
