#include "core/pattern/similarities.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

constexpr Index kBlock = 256; // scores at once
constexpr Index kLane = 8;    // filled up to, so that no score is computed by other instructions

} // namespace

Similarities::Similarities(Score score, const Matrix<double>& of)
    : score_(score), size_(of.rows()), columns_(of.cols(), ceilDiv(of.rows(), kLane) * kLane) {
  for (Index j = 0; j < of.rows(); ++j)
    for (Index c = 0; c < of.cols(); ++c)
      columns_(c, j) = of(j, c);
}

void Similarities::computeBlock(const double* x, Index first, double* scores) const {
  std::array<double, kBlock> sums{};
  const auto width = static_cast<std::size_t>(std::min(kBlock, columns_.cols() - first));
  for (Index c = 0; c < columns_.rows(); ++c) {
    const double xc = x[c];
    const double* y = &columns_(c, first);
    if (score_ == Score::Dot)
      for (std::size_t t = 0; t < width; ++t)
        sums[t] += xc * y[t];
    else
      for (std::size_t t = 0; t < width; ++t)
        sums[t] -= (xc - y[t]) * (xc - y[t]);
  }
  std::copy_n(sums.begin(), std::min(kBlock, size_ - first), scores);
}

void Similarities::compute(MatrixView<const double> x, MatrixView<double> scores) const {
  for (Index first = 0; first < size_; first += kBlock)
    for (Index r = 0; r < x.rows; ++r)
      computeBlock(x.row(r).data(), first, scores.row(r).data() + first);
}

void Similarities::compute(std::span<const double> x, std::span<double> scores) const {
  for (Index first = 0; first < size_; first += kBlock)
    computeBlock(x.data(), first, scores.data() + first);
}

Index largestIndex(std::span<const double> scores) {
  return std::max_element(scores.begin(), scores.end()) - scores.begin();
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
