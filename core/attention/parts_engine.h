// All parts of a pattern in floats, one after another: the engine behind attend.
#pragma once

#include "core/attention/check_input.h"
#include "core/attention/softmax_blocks.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <optional>
#include <span>

namespace attention {

// What finishes a query once all its keys are summed.
struct RowEnd {
  std::span<float> lse = {};      // n_q, of the keys without the sink; empty: not wanted
  double perToken = 0;            // lse gets perToken · token besides (kernel_scores.h)
  Index offset = 0;               // query i stands at token i + offset
  std::optional<float> sink = {}; // takes its share of the weights
};

// Attention over the keys of `inputs`, in natural logarithms; out: n_q × d_v. `input` checks the
// numbers along the way. E_NONFINITE: also scores beyond floats; Stopped.
void attendParts(const Prepared& pattern, const SoftmaxInputs& inputs,
                 const FiniteInput<float>& input, MatrixView<float> out, const RowEnd& end,
                 int threads, const Run& run);

} // namespace attention
