// Offsets of packed documents, as the variable length functions of FlashAttention take them.
#pragma once

#include "core/code/arrays/mask_arrays.h"

namespace attention {

// cu_seqlens [documents + 1], max_seqlen, causal: of a mask whose documents are contiguous and
// either causal or full inside. E_SHAPE: not square; E_RANGE: any other mask.
MaskArrays sequenceOffsets(const Prepared& pattern, const Run& run = {});

} // namespace attention
