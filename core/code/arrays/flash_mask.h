// FlashMask's startend_row_indices (PaddlePaddle, python/paddle/nn/functional/flash_attention.py):
// which rows of every key are masked, as one or two intervals.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// causal, bounds, and indices [n, bounds]. The masked rows of key j, in the first form that fits:
//
//   causal, 1       [0, j) and [x0, n)           not causal, 2   [x0, n) and [0, x1)
//   causal, 2       [0, j) and [x0, x1)          not causal, 4   [x0, x1) and [x2, x3)
//
// Without a lower interval n, or n and n; without an upper one 0, or 0 and 0. E_SHAPE: not square;
// E_RANGE: a key with more than two runs of masked rows.
MaskArrays flashMask(const Prepared& pattern, const Run& run = {});

} // namespace attention
