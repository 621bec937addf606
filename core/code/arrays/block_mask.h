// FlexAttention's BlockMask (PyTorch torch/nn/attention/flex_attention.py, create_block_mask): the
// partial and the full tiles of every row of tiles, and of every column.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// kv_num_blocks [R]: how many tiles of row R are partial; kv_indices [R, C]: all tile columns, the
// partial ones first, both ascending. full_kv_… the same for full tiles, q_… and full_q_… by
// columns. A tile that is cut at the edge is never full. E_RANGE: a block, or too many tiles.
MaskArrays blockMask(const Prepared& pattern, const BlockSize& block, const Run& run = {});

} // namespace attention
