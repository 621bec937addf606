// All parts of a pattern in floats, one after another: the engine behind attend.
#pragma once

#include "core/attention/check_input.h"
#include "core/attention/tile_kernel.h"
#include "core/pattern/prepared.h"
#include "core/support/run.h"

#include <span>

namespace attention {

// Attention over the keys of `inputs`, in natural logarithms; out: n_q × d_v, lse: n_q or empty.
// `input` checks the numbers along the way. E_NONFINITE: also scores beyond floats; Stopped.
void attendParts(const Prepared& pattern, const TileInputs& inputs, const FiniteInput<float>& input,
                 MatrixView<float> out, std::span<float> lse, int threads, const Run& run);

} // namespace attention
