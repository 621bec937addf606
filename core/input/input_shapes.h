// Whether the arrays of an input fit together: sets the lengths of an Input from its tensors, or
// throws E_SHAPE with the two arrays and their shapes. Used by the loader only.
#pragma once

#include "core/input/input.h"

#include <array>

namespace attention {

// Takes q, k and v, one each or one per layer; sets n_q, n_k, d, dv, heads, kvHeads, batches.
void setStored(Input& input, Stored arrays);

// Takes embeddings [n, D] or item `batch` of [batch, n, D], and weights q, k, v; wo may be null.
void setProjected(Input& input, const Tensor& x, const std::array<Tensor, 3>& weights,
                  const Tensor* wo, Index heads, Index batch, const Run& run = {});

// Checks ready attention weights against q and k, or sets the lengths from them; none is fine.
void setWeightShapes(Input& input);

// `a.npz: array "k" has shape (…), array "q" has (…): <rule>`, E_SHAPE.
[[noreturn]] void throwShapes(const Tensor& wrong, const Tensor& other, const std::string& rule);

} // namespace attention
