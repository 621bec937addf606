// The makers of maskArrays (mask_arrays.h), one for each format.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// FlexAttention's BlockMask (PyTorch torch/nn/attention/flex_attention.py, create_block_mask): the
// partial and the full tiles of every row of tiles, and of every column.
//
// kv_num_blocks [R]: how many tiles of row R are partial; kv_indices [R, C]: all tile columns, the
// partial ones first, both ascending. full_kv_… the same for full tiles, q_… and full_q_… by
// columns. A tile that is cut at the edge is never full. E_RANGE: a block, or too many tiles.
MaskArrays blockMask(const Prepared& pattern, const BlockSize& block, const Run& run = {});

// Block sparse rows with the cells of every block, as FlashInfer takes them
// (flashinfer/sparse.py, BlockSparseAttentionWrapper.plan) and torch.Tensor.to_sparse_bsr gives.
//
// indptr [R + 1], indices [nnz]: the tiles of every row of tiles that are not empty, ascending;
// blocks [nnz, block.queries, block.keys]: their cells, false below the last query. E_RANGE: a
// block, one whose keys do not divide those of the mask, or too many cells.
MaskArrays blockRows(const Prepared& pattern, const BlockSize& block, const Run& run = {});

// FlashMask's intervals (PaddlePaddle, python/paddle/nn/functional/flash_attention.py, argument
// startend_row_indices of flashmask_attention): which rows of every key are masked.
//
// causal, bounds, and indices [n, bounds]. The masked rows of key j, in the first form that fits:
//
//   causal, 1       [0, j) and [x0, n)           not causal, 2   [x0, n) and [0, x1)
//   causal, 2       [0, j) and [x0, x1)          not causal, 4   [x0, x1) and [x2, x3)
//
// Without a lower interval n, or n and n; without an upper one 0, or 0 and 0. E_SHAPE: not square;
// E_RANGE: a key with more than two runs of masked rows.
MaskArrays flashMask(const Prepared& pattern, const Run& run = {});

// MagiAttention's slices (magi_attention/utils/_utils.py): [q0, q1, k0, k1, type], the queries
// [q0, q1) and keys [k0, k1) whose cells with d = j − i are 0: all; 1 (causal): d ≤ k1 − q1; 2
// (inverse causal): d ≥ k0 − q0; 3: both. Slices do not overlap.
//
// slices [count, 5], in the canonical form of T9: full, causal, bands, documents by lengths, block
// local, prefix LM, block diffusion in training. E_SHAPE: not square; E_RANGE: any other mask.
MaskArrays magiSlices(const Pattern& pattern, const Prepared& prepared);

// Offsets of packed documents, as the variable length functions of FlashAttention take them.
//
// cu_seqlens [documents + 1], max_seqlen, causal: of a mask whose documents are contiguous and
// either causal or full inside. E_SHAPE: not square; E_RANGE: any other mask.
MaskArrays sequenceOffsets(const Prepared& pattern, const Run& run = {});

} // namespace attention
