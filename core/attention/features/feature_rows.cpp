#include "core/attention/features/feature_rows.h"

#include "core/attention/exp.h"
#include "core/attention/vector_rows.h"
#include "core/support/parallel.h"
#include "core/support/products.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr Index kRowBlock = 64;
constexpr Index kPanel = 64; // projections side by side
constexpr Index kAhead = 96; // rows between a prefetch and its use: a block or more

} // namespace

template <class T>
FeatureRows<T>::FeatureRows(MatrixView<const T> x, const Matrix<double>& w,
                            const FeatureOptions& options, FeatureRole role)
    : x_(x), options_(options), role_(role),
      scale_(options.scaled() ? static_cast<T>(std::pow(static_cast<double>(x.cols), -0.25))
                              : T{1}),
      features_(featureCount(options.map, w.rows(), x.cols)) {
  if (!takesProjections(options.map))
    return;
  projections_ = w.rows();
  panels_ = Matrix<T>(ceilDiv(w.rows(), kPanel) * w.cols(), kPanel);
  for (Index a = 0; a < w.rows(); ++a)
    for (Index c = 0; c < w.cols(); ++c)
      panels_(a / kPanel * w.cols() + c, a % kPanel) = static_cast<T>(w(a, c)) * scale_;
}

template <class T>
void FeatureRows<T>::project(Index begin, Index end, MatrixView<T> out) const {
  for (Index a = 0; a < projections_; a += kPanel) {
    const Index count = std::min(kPanel, projections_ - a);
    multiply(rowsOf(x_, begin, end),
             MatrixView<const T>{&panels_(a / kPanel * x_.cols, 0), x_.cols, count, kPanel},
             {out.data + a, end - begin, count, out.stride});
  }
}

template <class T>
T FeatureRows<T>::halfSquare(Index i) const {
  return squaredLength<T>(x_.row(i), scale_) / 2;
}

template <class T>
T FeatureRows<T>::largest(Index i, const T* u) const {
  T most = largestOf<T>({u, static_cast<std::size_t>(projections_)});
  if (options_.map == FeatureMap::Hyperbolic)
    most = std::max(most, -*std::min_element(u, u + projections_));
  return options_.stabilize == Stabilize::Robust ? most - halfSquare(i) : most;
}

template <class T>
void FeatureRows<T>::lookOver(int threads, const Run& run) {
  const bool trig = options_.map == FeatureMap::Trig;
  if (options_.stabilize == Stabilize::Off || !(trig || exponentials()) ||
      (exponentials() && role_ == FeatureRole::Query))
    return;
  const Index blocks = ceilDiv(x_.rows, kRowBlock);
  std::vector<T> most(static_cast<std::size_t>(blocks), -std::numeric_limits<T>::infinity());
  parallelFor(blocks, threads, run, [&](Index b) {
    const Index begin = b * kRowBlock;
    const Index end = std::min(begin + kRowBlock, x_.rows);
    T& of = most[static_cast<std::size_t>(b)];
    Matrix<T> u(trig ? 0 : end - begin, projections_);
    if (!trig)
      project(begin, end, u.view());
    for (Index i = begin; i < end; ++i)
      of = std::max(of, trig ? halfSquare(i) : largest(i, &u(i - begin, 0)));
  });
  shift_ = *std::max_element(most.begin(), most.end());
}

template <class T>
void FeatureRows<T>::trigRow(Index i, T* u) const {
  const auto v = static_cast<std::size_t>(projections_);
  T factor = 1 / std::sqrt(static_cast<T>(v));
  if (options_.map == FeatureMap::Trig)
    factor *= exponential(halfSquare(i) - shift_);
  cosinesAndSines<T>({u, v}, {u + v, v}, factor);
}

template <class T>
void FeatureRows<T>::exponentialRow(Index i, T* u) const {
  const bool byRow = options_.stabilize != Stabilize::Off && role_ == FeatureRole::Query;
  const T shift = byRow ? largest(i, u) : shift_;
  exponentiateRow(i, u, shift, static_cast<T>(options_.currentEps()));
}

// Rows come one after another, so that the next block's are prefetched while this one's
// exponentials are computed.
template <class T>
void FeatureRows<T>::fetchAhead(Index i) const {
  constexpr Index kLine = 64 / sizeof(T);
  const Index next = i + kAhead;
  for (Index c = 0; next < x_.rows && c < x_.cols; c += kLine)
    hwy::Prefetch(&x_(next, c));
}

template <class T>
void FeatureRows<T>::exponentiateRow(Index i, T* u, T shift, T eps) const {
  fetchAhead(i);
  const Index v = projections_;
  if (options_.map == FeatureMap::Hyperbolic)
    for (Index a = 0; a < v; ++a)
      u[v + a] = -u[a];
  exponentiate<T>({u, static_cast<std::size_t>(features_)}, {halfSquare(i), shift, eps, factor()});
}

template <class T>
void FeatureRows<T>::leveledBlock(Index begin, Index end, T& level, MatrixView<T> out) const {
  project(begin, end, out);
  for (Index i = begin; i < end; ++i)
    level = std::max(level, largest(i, out.row(i - begin).data()));
  for (Index i = begin; i < end; ++i)
    exponentiateRow(i, out.row(i - begin).data(), level, 0);
}

template <class T>
void FeatureRows<T>::mapRow(Index i, T* u) const {
  if (options_.map == FeatureMap::Trig || options_.map == FeatureMap::GaussianTrig)
    return trigRow(i, u);
  if (exponentials())
    return exponentialRow(i, u);
  const auto eps = static_cast<T>(options_.currentEps());
  const T root = projected() ? 1 / std::sqrt(static_cast<T>(projections_)) : T{1};
  if (!projected())
    for (Index c = 0; c < features_; ++c)
      u[c] = scale_ * x_(i, c);
  if (options_.map == FeatureMap::Elu1)
    return eluPlusOne<T>({u, static_cast<std::size_t>(features_)});
  for (Index c = 0; c < features_; ++c)
    u[c] = std::max(T{0}, root * u[c]) + eps;
}

template <class T>
void FeatureRows<T>::block(Index begin, Index end, MatrixView<T> out) const {
  if (projected())
    project(begin, end, out);
  for (Index i = begin; i < end; ++i)
    mapRow(i, out.row(i - begin).data());
}

template class FeatureRows<float>;
template class FeatureRows<double>;

} // namespace attention
