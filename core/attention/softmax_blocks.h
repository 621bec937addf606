// Attention of one block of queries over its plan: strips of queries over the steps of the shared
// segments (strip_kernel.h), then the rows that have keys of their own (lone_row_kernel.h). The
// queries' sums are kept between blocks, so that several rounds add to one softmax.
#pragma once

#include "core/attention/kernel_scores.h"
#include "core/attention/lone_row_kernel.h"
#include "core/attention/step_cutter.h"
#include "core/support/matrix.h"

#include <memory>
#include <new>
#include <vector>

namespace attention {

// The queries' sums so far: the maximum score, and the sum and weighted values relative to it. Rows
// of different blocks may be written by different threads.
struct SoftmaxState {
  MatrixView<float> out;      // n_q × d_v, not yet divided by sum; unwritten where that is 0
  std::vector<float> maximum; // −∞ at the start
  std::vector<float> sum;

  // The matrix must outlive the state.
  explicit SoftmaxState(MatrixView<float> out);
  // Zeroes the row of a query without any keys, for readers of the row.
  void begin(Index i);
};

struct SoftmaxInputs {
  MatrixView<const float> q;
  MatrixView<const float> k;
  MatrixView<const float> v;
  float scale = 1;                 // of logits in base 2
  float cap = 0;                   // the soft cap of logits, in base 2; 0: none
  const ScoreBias* bias = nullptr; // null: none
  Index offset = 0;                // query i stands at token i + offset
};

// Numbers aligned to a cache line.
template <class T>
class Aligned {
public:
  explicit Aligned(Index count)
      : data_(static_cast<T*>(::operator new (bytes(count), std::align_val_t{kAlignment}))) {}
  T* data() const { return data_.get(); }

private:
  static constexpr std::size_t kAlignment = 64;
  struct Delete {
    void operator()(T* data) const { ::operator delete (data, std::align_val_t{kAlignment}); }
  };
  static std::size_t bytes(Index count) { return sizeof(T) * static_cast<std::size_t>(count); }

  std::unique_ptr<T, Delete> data_;
};
using AlignedFloats = Aligned<float>;
using AlignedIntegers = Aligned<std::int32_t>;

// One thread's buffers, used for one block after another.
class SoftmaxBlocks {
public:
  explicit SoftmaxBlocks(const SoftmaxInputs& inputs);

  // Adds what the block's rows see to their state.
  void add(const BlockRows& block, const BlockPlan& plan, SoftmaxState& state);
  void add(const GroupBlock& block, SoftmaxState& state);
  // A single row, for rows of few or scattered keys.
  void add(Index query, std::span<const KeyRange> row, SoftmaxState& state);
  void add(const BlockRows& block, const ScatteredKeys& keys, SoftmaxState& state);

private:
  // Adds what the rows `sharing` see in the steps of a StepCutter or KeyListCutter.
  template <class Steps>
  void addSteps(const BlockRows& block, std::uint64_t sharing, Steps steps, SoftmaxState& state);
  QueryStrip strip(Index first, Index rows) const;
  void load(const BlockRows& block, const QueryStrip& strip, SoftmaxState& state);
  void store(const BlockRows& block, const QueryStrip& strip, SoftmaxState& state);
  StepKeys placed(const Step& step);
  void addLoneRows(const BlockRows& block, const BlockPlan& plan, SoftmaxState& state);
  void addLone(const BlockPlan& plan, Index r, Index query, const Interval& window,
               std::size_t& cursor, SoftmaxState& state);
  // A single row: its query, then its keys; flushLone() completes it.
  void beginLone(Index query);
  void takeLone(Index key, SoftmaxState& state);
  void flushLone(SoftmaxState& state);
  // Keys of the current row, in place.
  void addLoneKeys(std::span<const std::int32_t> keys, SoftmaxState& state);

  SoftmaxInputs inputs_;
  Index width_; // of a strip
  // Of all strips of a block, one after another.
  AlignedFloats q_, out_, maximum_, sum_;
  AlignedFloats scores_;         // of one strip
  AlignedFloats keys_, values_;  // gathered: step × d, step × d_v
  AlignedFloats row_;            // the query of a single row, scaled
  AlignedIntegers tokens_;       // of the queries of a block, where there is a bias
  std::vector<std::int32_t> at_; // of the keys of a step, where there is a bias
  Step step_;
  Index loneQuery_ = 0;
  LoneRow lone_;
  std::vector<std::int32_t> loneKeys_;
};

} // namespace attention
