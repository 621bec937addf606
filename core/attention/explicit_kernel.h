// Kernel attention by explicit rows: blocks of neighbouring queries over tiles of the pattern, as
// softmax attention takes them, but without a running maximum, since A itself is wanted.
#pragma once

#include "core/attention/kernel.h"
#include "core/attention/step_cutter.h"

namespace attention {

// Adds A [V 1] of the rows of one block to `sums`. One object per thread.
template <class T>
class ExplicitKernel {
public:
  // v1: n_k × (d_v + 1).
  ExplicitKernel(Kernel kernel, MatrixView<const T> q, MatrixView<const T> k,
                 MatrixView<const T> v1);

  void add(const BlockRows& block, const BlockPlan& plan, MatrixView<T> sums);

private:
  // Rows [begin, end) of the block over the keys of a step that they see.
  void addStep(const Step& step, Index begin, Index end);
  // Keys that only one row sees.
  void addLone(const BlockPlan& plan, Index r);
  // Writes the kernel values of the rows with the keys in keys_ to values_.
  void evaluate(Index count, Index begin, Index end);
  void evaluateRow(Index count, Index r);
  void hide(const Step& step, Index begin, Index end);

  Kernel kernel_;
  MatrixView<const T> q_, k_, v1_;
  Matrix<T> queries_;  // of the block, mapped by φ where the kernel has one
  Matrix<T> keys_;     // of the step, the same
  Matrix<T> gathered_; // [V 1] of the step
  Matrix<T> values_;   // A of the step
  Matrix<T> out_;      // of the block's rows
  Step step_;
};

} // namespace attention
