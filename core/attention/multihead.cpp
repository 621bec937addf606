#include "core/attention/multihead.h"

#include "core/support/error.h"

#include <Eigen/Core>

#include <string>

namespace attention {
namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string number(Index value) {
  return std::to_string(value);
}

void requireGroups(Index heads, Index kvHeads) {
  if (heads < 1)
    throwRange("heads", number(heads), "an integer of at least 1");
  if (kvHeads < 1 || heads % kvHeads != 0)
    throwRange("key/value heads", number(kvHeads), "a divisor of the " + number(heads) + " heads");
}

// x · w, x: n × a, w: a × b.
template <class T>
Matrix<T> product(MatrixView<const T> x, const Matrix<T>& w, const char* name) {
  if (w.rows() != x.cols)
    throw Error(ErrorCode::Shape, name,
                std::string(name) + " has " + number(w.rows()) + " rows; it must have the " +
                    number(x.cols) + " columns of what it is multiplied with");
  using View = Eigen::Map<const RowMajor<T>, 0, Eigen::OuterStride<>>;
  Matrix<T> result(x.rows, w.cols());
  Eigen::Map<RowMajor<T>>(result.data(), result.rows(), result.cols()).noalias() =
      View(x.data, x.rows, x.cols, Eigen::OuterStride<>(x.stride)) *
      View(w.data(), w.rows(), w.cols(), Eigen::OuterStride<>(w.cols()));
  return result;
}

// Columns [h · width, (h + 1) · width) of x · w, for every head h.
template <class T>
std::vector<Matrix<T>> projections(MatrixView<const T> x, const Matrix<T>& w, Index heads,
                                   const char* name) {
  if (w.cols() < 1 || w.cols() % heads != 0)
    throwRange("heads", number(heads),
               "a divisor of the " + number(w.cols()) + " columns of " + name);
  const Matrix<T> all = product(x, w, name);
  const Index width = w.cols() / heads;
  std::vector<Matrix<T>> parts;
  for (Index h = 0; h < heads; ++h) {
    Matrix<T> part(all.rows(), width);
    for (Index i = 0; i < all.rows(); ++i)
      for (Index c = 0; c < width; ++c)
        part(i, c) = all(i, h * width + c);
    parts.push_back(std::move(part));
  }
  return parts;
}

template <class T>
std::vector<MatrixView<const T>> viewsOf(const std::vector<Matrix<T>>& matrices) {
  std::vector<MatrixView<const T>> views;
  views.reserve(matrices.size());
  for (const Matrix<T>& matrix : matrices)
    views.push_back(matrix.view());
  return views;
}

template <class T>
Matrix<T> sideBySide(const std::vector<Attention<T>>& heads) {
  const Index rows = heads.front().out.rows();
  const Index width = heads.front().out.cols();
  Matrix<T> all(rows, width * static_cast<Index>(heads.size()));
  for (std::size_t h = 0; h < heads.size(); ++h)
    for (Index i = 0; i < rows; ++i)
      for (Index c = 0; c < width; ++c)
        all(i, static_cast<Index>(h) * width + c) = heads[h].out(i, c);
  return all;
}

} // namespace

template <class T>
std::vector<Attention<T>>
attendHeads(const PreparedHeads& patterns, std::span<const MatrixView<const T>> q,
            std::span<const MatrixView<const T>> k, std::span<const MatrixView<const T>> v,
            const AttendOptions& options, const Run& run) {
  const auto heads = static_cast<Index>(q.size());
  const auto kvHeads = static_cast<Index>(k.size());
  requireGroups(heads, kvHeads);
  if (v.size() != k.size())
    throw Error(ErrorCode::Shape, "V",
                "V has " + number(static_cast<Index>(v.size())) + " heads; it must have the " +
                    number(kvHeads) + " of K");
  if (patterns.size() != 1 && patterns.size() != q.size())
    throw Error(ErrorCode::Shape, "patterns",
                "there are " + number(static_cast<Index>(patterns.size())) +
                    " patterns; it must be one for all heads or one for each of the " +
                    number(heads));
  std::vector<Attention<T>> results;
  for (std::size_t h = 0; h < q.size(); ++h) {
    Run part = run;
    if (run.progress)
      part.progress = [&run, h, all = static_cast<double>(heads)](double share) {
        run.progress((static_cast<double>(h) + share) / all);
      };
    const std::size_t group = h * k.size() / q.size();
    const Prepared& pattern = *patterns[patterns.size() == 1 ? 0 : h];
    results.push_back(attend(pattern, q[h], k[group], v[group], options, part));
  }
  return results;
}

template <class T>
ProjectedHeads<T> projectHeads(MatrixView<const T> x, const MultiheadWeights<T>& weights,
                               Index heads, Index kvHeads) {
  requireGroups(heads, kvHeads);
  return {projections(x, weights.query, heads, "W_Q"), projections(x, weights.key, kvHeads, "W_K"),
          projections(x, weights.value, kvHeads, "W_V")};
}

template <class T>
Matrix<T> multihead(const PreparedHeads& patterns, MatrixView<const T> x,
                    const MultiheadWeights<T>& weights, Index heads, Index kvHeads,
                    const AttendOptions& options, const Run& run) {
  const ProjectedHeads<T> projected = projectHeads(x, weights, heads, kvHeads);
  const auto q = viewsOf(projected.q);
  const auto k = viewsOf(projected.k);
  const auto v = viewsOf(projected.v);
  const Matrix<T> all = sideBySide(attendHeads<T>(patterns, q, k, v, options, run));
  if (weights.output.rows() == 0)
    return all;
  return product<T>(all.view(), weights.output, "W_O");
}

template std::vector<Attention<float>> attendHeads(const PreparedHeads&,
                                                   std::span<const MatrixView<const float>>,
                                                   std::span<const MatrixView<const float>>,
                                                   std::span<const MatrixView<const float>>,
                                                   const AttendOptions&, const Run&);
template std::vector<Attention<double>> attendHeads(const PreparedHeads&,
                                                    std::span<const MatrixView<const double>>,
                                                    std::span<const MatrixView<const double>>,
                                                    std::span<const MatrixView<const double>>,
                                                    const AttendOptions&, const Run&);
template ProjectedHeads<float> projectHeads(MatrixView<const float>, const MultiheadWeights<float>&,
                                            Index, Index);
template ProjectedHeads<double> projectHeads(MatrixView<const double>,
                                             const MultiheadWeights<double>&, Index, Index);
template Matrix<float> multihead(const PreparedHeads&, MatrixView<const float>,
                                 const MultiheadWeights<float>&, Index, Index, const AttendOptions&,
                                 const Run&);
template Matrix<double> multihead(const PreparedHeads&, MatrixView<const double>,
                                  const MultiheadWeights<double>&, Index, Index,
                                  const AttendOptions&, const Run&);

} // namespace attention
