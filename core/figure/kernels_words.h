// What is said of the Kernels view's estimate: which kernel it estimates, and what its pictures
// read.
#pragma once

#include "core/figure/scene_kernels.h"
#include "core/scene/kernels_reads.h"

#include <array>
#include <string>

namespace attention {

// Whether the spec's picture, or what is told of it, reads m: the number of projections, or the
// rank.
bool readsProjections(const KernelsSpec& spec);
// Whether normalisers are shown over the exact ones: those of one kernel, which no stabiliser
// scales.
bool hasExactNormalisers(const KernelsSpec& spec);

// "exact A", "estimate Â", "error |A − Â|", "normalisers dᵢ".
std::array<std::string, 4> matrixTitles(const KernelsSpec& spec);

} // namespace attention
