// Numbers of the stored types as floats, in the formulas of ggml's block formats
// (https://github.com/ggml-org/ggml, src/ggml-common.h has the layouts): a block is a scale d, for
// some types a minimum m, and small integers q; a number is d q + m. The types of 256 numbers per
// block (K) have a scale of few bits for every 16 or 32 of them, and d scales these.
#pragma once

#include "core/model/weight_matrix.h"

namespace attention {

// The first out.size() numbers from `stored` on, a multiple of the type's block. The bytes need no
// alignment. O(numbers); products and sums are rounded to float32.
void dequantise(WeightType type, const std::byte* stored, std::span<float> out);

} // namespace attention
