#include "core/attention/explicit_kernel.h"

#include "core/attention/vector_rows.h"
#include "core/support/products.h"
#include "core/support/tile_products.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attention {
namespace {

// φ of a row, where the kernel is an inner product of features.
template <class T>
void mapRow(Kernel kernel, std::span<T> row) {
  if (kernel == Kernel::Elu1)
    eluPlusOne(row);
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
ExplicitKernel<T>::ExplicitKernel(Kernel kernel, MatrixView<const T> q, MatrixView<const T> k,
                                  MatrixView<const T> v1)
    : kernel_(kernel), q_(q), k_(k), v1_(v1), queries_(kBlockRows, q.cols),
      keys_(kStepKeys, k.cols), gathered_(kStepKeys, v1.cols), values_(kBlockRows, kStepKeys),
      out_(kBlockRows, v1.cols) {}

template <class T>
void ExplicitKernel<T>::add(const BlockRows& block, const BlockPlan& plan, MatrixView<T> sums) {
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
void ExplicitKernel<T>::addLone(const BlockPlan& plan, Index r) {
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
void ExplicitKernel<T>::addStep(const Step& step, Index begin, Index end) {
  gather(step, k_, keys_.view());
  evaluate(step.count, begin, end);
  hide(step, begin, end);
  gather(step, v1_, gathered_.view());
  multiply(MatrixView<const T>{&values_(begin, 0), end - begin, step.count, values_.cols()},
           rowsOf(std::as_const(gathered_).view(), 0, step.count), rowsOf(out_.view(), begin, end),
           true);
}

template <class T>
void ExplicitKernel<T>::evaluate(Index count, Index begin, Index end) {
  for (Index t = 0; t < count; ++t)
    mapRow(kernel_, keys_.view().row(t));
  // Distances one by one: computed from products they would cancel for long vectors.
  tileSums<T>(kernel_ == Kernel::Gaussian ? TileSum::MinusDistances : TileSum::Products,
              {&queries_(begin, 0), queries_.cols(), 1}, {keys_.data(), 1, keys_.cols()},
              queries_.cols(), {&values_(begin, 0), end - begin, count, values_.cols()});
  if (kernel_ == Kernel::Softmax || kernel_ == Kernel::Gaussian)
    for (Index r = begin; r < end; ++r)
      evaluateRow(count, r);
}

// exp of the scores of row r, or of minus the distances, by their scales.
template <class T>
void ExplicitKernel<T>::evaluateRow(Index count, Index r) {
  const T root = std::sqrt(static_cast<T>(q_.cols));
  const std::span<T> row(&values_(r, 0), static_cast<std::size_t>(count));
  divideRow(row, kernel_ == Kernel::Gaussian ? 2 * root : root);
  exponentiate<T>(row, {});
}

// Zeroes what a row does not see, so that products are zero even where A overflowed.
template <class T>
void ExplicitKernel<T>::hide(const Step& step, Index begin, Index end) {
  for (Index r = begin; r < end; ++r)
    for (Index t = 0; t < step.count; ++t)
      if ((step.seen[static_cast<std::size_t>(t)] >> r & 1) == 0)
        values_(r, t) = T{0};
}

template class ExplicitKernel<float>;
template class ExplicitKernel<double>;

} // namespace attention
