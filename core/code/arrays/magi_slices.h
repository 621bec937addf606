// MagiAttention's slices (magi_attention/utils/_utils.py): [q0, q1, k0, k1, type], the queries
// [q0, q1) and keys [k0, k1) whose cells with d = j − i are 0: all; 1 (causal): d ≤ k1 − q1; 2
// (inverse causal): d ≥ k0 − q0; 3: both. Slices do not overlap.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// slices [count, 5], in the canonical form of T9: full, causal, bands, documents by lengths, block
// local, prefix LM, block diffusion in training. E_SHAPE: not square; E_RANGE: any other mask.
MaskArrays magiSlices(const Pattern& pattern, const Prepared& prepared);

} // namespace attention
