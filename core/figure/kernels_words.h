// What is said of the Kernels view's estimate: of which kernel it is, and what its pictures read.
#pragma once

#include "core/figure/scene_kernels.h"

#include <array>
#include <string>

namespace attention {

// Whether Â estimates A; else it is attention by a kernel of its own, beside softmax.
bool estimatesA(const KernelsSpec& spec);
// Whether the spec's picture reads how many projections are drawn: a kernel of its own takes none.
bool readsProjections(const KernelsSpec& spec);
// Whether normalisers are shown over the exact ones: those of one kernel, which no stabiliser
// scales.
bool hasExactNormalisers(const KernelsSpec& spec);

// "exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ".
std::array<std::string, 4> matrixTitles(const KernelsSpec& spec);

} // namespace attention
