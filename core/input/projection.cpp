#include "core/input/projection.h"

#include "core/input/tensor.h"
#include "core/support/number_text.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>

namespace attention {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> mapped(const Matrix<double>& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols()};
}

std::string shapeOf(const Matrix<double>& matrix) {
  return shapeText(std::array<Index, 2>{matrix.rows(), matrix.cols()});
}

void requireRows(const char* name, const Matrix<double>& weight, Index rows) {
  if (weight.rows() != rows || weight.cols() < 1)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " has shape " + shapeOf(weight) + "; it must have " +
                    countText(rows, "row"));
}

void requireHeads(Index heads, Index width, const std::string& what) {
  if (heads < 1 || width % heads != 0)
    throwRange("heads", std::to_string(heads),
               "a divisor of " + what + ", " + std::to_string(width));
}

// Heads of keys and values: as many as Wk has columns for.
Index keyHeads(const Weights& weights, Index heads) {
  const Index d = weights.wq.cols() / heads;
  const Index kvHeads = weights.wk.cols() / d;
  const bool whole = kvHeads > 0 && weights.wk.cols() == kvHeads * d;
  if (!whole || heads % kvHeads != 0 || weights.wv.cols() % kvHeads != 0)
    throw Error(ErrorCode::Shape, "wk",
                "wk has shape " + shapeOf(weights.wk) + ", wv has " + shapeOf(weights.wv) +
                    "; both must have columns for the same number of heads, a divisor of " +
                    std::to_string(heads) + ", and heads of wk are " + std::to_string(d) + " wide");
  return kvHeads;
}

} // namespace

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b, const Run& run) {
  constexpr Index kBlock = 256; // rows between two checks of the stop token
  Matrix<double> result(a.rows(), b.cols());
  Eigen::Map<RowMajor> rows(result.data(), a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); i += kBlock) {
    run.check();
    const Index count = std::min(kBlock, a.rows() - i);
    rows.middleRows(i, count).noalias() = mapped(a).middleRows(i, count) * mapped(b);
  }
  return result;
}

Projected project(const Matrix<double>& x, const Weights& weights, Index heads, const Run& run) {
  requireHeads(heads, x.cols(), "the model dimension");
  requireRows("wq", weights.wq, x.cols());
  requireRows("wk", weights.wk, x.cols());
  requireRows("wv", weights.wv, x.cols());
  requireHeads(heads, weights.wq.cols(), "the columns of wq");
  const Index kvHeads = keyHeads(weights, heads);
  Projected result{product(x, weights.wq, run),
                   product(x, weights.wk, run),
                   product(x, weights.wv, run),
                   heads,
                   kvHeads,
                   weights.wo};
  if (weights.wo)
    requireRows("wo", *weights.wo, heads * result.dv());
  return result;
}

template <class T>
Matrix<T> columnsOf(const Matrix<double>& matrix, Index head, Index width) {
  Matrix<T> result(matrix.rows(), width);
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < width; ++j)
      result(i, j) = static_cast<T>(matrix(i, head * width + j));
  return result;
}

template Matrix<float> columnsOf<float>(const Matrix<double>&, Index, Index);
template Matrix<double> columnsOf<double>(const Matrix<double>&, Index, Index);

} // namespace attention
