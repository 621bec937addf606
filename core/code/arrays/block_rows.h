// Block sparse rows with the cells of every block, as FlashInfer takes them
// (flashinfer/sparse.py, BlockSparseAttentionWrapper.plan) and torch.Tensor.to_sparse_bsr gives.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// indptr [R + 1], indices [nnz]: the tiles of every row of tiles that are not empty, ascending;
// blocks [nnz, block.queries, block.keys]: their cells, false below the last query. E_RANGE: a
// block, one whose keys do not divide those of the mask, or too many cells.
MaskArrays blockRows(const Prepared& pattern, const BlockSize& block, const Run& run = {});

} // namespace attention
