// Activations of feed-forward blocks on one row, by vector code chosen at run time. No result
// depends on where a number stands in its row.
#pragma once

#include <span>

namespace attention {

// x ← f(x), times y where there is one, of the same length (gated units, Shazeer, arXiv
// 2002.05202). gelu and geluTanh: Hendrycks & Gimpel, arXiv 1606.08415, section 2.
//
//   silu       x / (1 + e^−x)
//
//   gelu       x (1 + erf(x / √2)) / 2
//
//   geluTanh   x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2
//
//   relu       max(x, 0)
void siluRow(std::span<float> x, std::span<const float> y = {});
void geluRow(std::span<float> x, std::span<const float> y = {});
void geluTanhRow(std::span<float> x, std::span<const float> y = {});
void reluRow(std::span<float> x, std::span<const float> y = {});

} // namespace attention
