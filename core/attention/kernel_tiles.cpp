#include "core/attention/kernel_tiles.h"

#include "core/attention/features/elementwise.h"
#include "core/support/products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attention {
namespace {

// Several sums side by side, which compilers make vector code.
template <class T>
T squaredDistance(std::span<const T> x, std::span<const T> y) {
  constexpr std::size_t kLanes = 8;
  std::array<T, kLanes> sums{};
  std::size_t c = 0;
  for (; c + kLanes <= x.size(); c += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += (x[c + lane] - y[c + lane]) * (x[c + lane] - y[c + lane]);
  T sum = 0;
  for (const T lane : sums)
    sum += lane;
  for (; c < x.size(); ++c)
    sum += (x[c] - y[c]) * (x[c] - y[c]);
  return sum;
}

// φ of a row, where the kernel is an inner product of features.
template <class T>
void mapRow(Kernel kernel, std::span<T> row) {
  if (kernel == Kernel::Elu1)
    for (T& x : row)
      x = elu1(x);
  if (kernel == Kernel::Relu)
    for (T& x : row)
      x = std::max(x, T{0});
}

template <class T>
void gather(const Step& step, MatrixView<const T> from, MatrixView<T> to) {
  for (Index t = 0; t < step.count; ++t)
    std::copy_n(from.row(step.key(t)).data(), from.cols, to.row(t).data());
}

} // namespace

template <class T>
KernelTiles<T>::KernelTiles(Kernel kernel, MatrixView<const T> q, MatrixView<const T> k,
                            MatrixView<const T> v1)
    : kernel_(kernel), q_(q), k_(k), v1_(v1), queries_(kBlockRows, q.cols),
      keys_(kStepKeys, k.cols), gathered_(kStepKeys, v1.cols), values_(kBlockRows, kStepKeys),
      out_(kBlockRows, v1.cols) {}

template <class T>
void KernelTiles<T>::add(const BlockRows& block, const BlockPlan& plan, MatrixView<T> sums) {
  for (Index r = 0; r < block.count; ++r) {
    const Index i = block.query(r);
    std::copy_n(q_.row(i).data(), q_.cols, &queries_(r, 0));
    mapRow(kernel_, queries_.view().row(r));
    std::copy_n(sums.row(i).data(), v1_.cols, &out_(r, 0));
  }
  for (StepCutter steps(plan); steps.next(step_);)
    addStep(step_, 0, block.count);
  for (Index r = 0; r < block.count; ++r)
    addLone(plan, r);
  for (Index r = 0; r < block.count; ++r)
    std::copy_n(&out_(r, 0), v1_.cols, sums.row(block.query(r)).data());
}

template <class T>
void KernelTiles<T>::addLone(const BlockPlan& plan, Index r) {
  step_.firstKey = -1;
  step_.count = 0;
  step_.seen.fill(std::uint64_t{1} << r);
  const auto flush = [&] {
    if (step_.count > 0)
      addStep(step_, r, r + 1);
    step_.count = 0;
  };
  for (const Interval& interval : plan.lone[static_cast<std::size_t>(r)])
    plan.line.forEachRun(interval.begin, interval.end, [&](Index key, Index, Index length) {
      for (Index t = 0; t < length; ++t) {
        step_.keys[static_cast<std::size_t>(step_.count++)] = key + t;
        if (step_.count == kStepKeys)
          flush();
      }
    });
  flush();
}

template <class T>
void KernelTiles<T>::addStep(const Step& step, Index begin, Index end) {
  gather(step, k_, keys_.view());
  evaluate(step.count, begin, end);
  hide(step, begin, end);
  gather(step, v1_, gathered_.view());
  multiply(MatrixView<const T>{&values_(begin, 0), end - begin, step.count, values_.cols()},
           rowsOf(std::as_const(gathered_).view(), 0, step.count), rowsOf(out_.view(), begin, end),
           true);
}

template <class T>
void KernelTiles<T>::evaluate(Index count, Index begin, Index end) {
  for (Index t = 0; t < count; ++t)
    mapRow(kernel_, keys_.view().row(t));
  if (kernel_ != Kernel::Gaussian)
    multiplyTransposed(rowsOf(std::as_const(queries_).view(), begin, end),
                       rowsOf(std::as_const(keys_).view(), 0, count),
                       {&values_(begin, 0), end - begin, count, values_.cols()});
  if (kernel_ == Kernel::Softmax || kernel_ == Kernel::Gaussian)
    for (Index r = begin; r < end; ++r)
      evaluateRow(count, r);
}

// exp of the scores of row r, or of the distances: a product would cancel where vectors are long.
template <class T>
void KernelTiles<T>::evaluateRow(Index count, Index r) {
  const T root = std::sqrt(static_cast<T>(q_.cols));
  T* const a = &values_(r, 0);
  if (kernel_ == Kernel::Gaussian) {
    const std::span<const T> x = std::as_const(queries_).view().row(r);
    for (Index t = 0; t < count; ++t)
      a[t] = -squaredDistance<T>(x, std::as_const(keys_).view().row(t)) / (2 * root);
  } else {
    for (Index t = 0; t < count; ++t)
      a[t] /= root;
  }
  for (Index t = 0; t < count; ++t)
    a[t] = exponential(a[t]);
}

// Zero what a row does not see: products with zero also where A overflowed.
template <class T>
void KernelTiles<T>::hide(const Step& step, Index begin, Index end) {
  for (Index r = begin; r < end; ++r)
    for (Index t = 0; t < step.count; ++t)
      if ((step.seen[static_cast<std::size_t>(t)] >> r & 1) == 0)
        values_(r, t) = T{0};
}

template class KernelTiles<float>;
template class KernelTiles<double>;

} // namespace attention
