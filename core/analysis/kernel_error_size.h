// How large a sweep of kernel errors, or a stack of layers, may be.
#pragma once

#include "core/analysis/kernel_error.h"
#include "core/analysis/layer_error.h"

namespace attention {

constexpr Index kMostErrorNumbers = Index{1} << 26;  // n d repeats: 2 GiB of Q, K, V and outputs
constexpr Index kMostErrorProducts = Index{1} << 44; // multiplications, as errorProducts counts
constexpr Index kMostErrorPairs = Index{1} << 26;    // pairs repeats: 1 GiB
constexpr Index kMostErrorFeatures = Index{1} << 26; // of one matrix: 512 MiB a thread

// E_RANGE where `repeats` draws of Q, K and V, n × d numbers each, are more than that; `length`:
// what n is called.
void requireFewErrorNumbers(const char* length, Index n, Index d, Index repeats);

// Multiplications of a sweep, in floating point, so that no product overflows: the exact attention;
// for each curve and each of its M projections (the sum over the list) the features of all rows,
// the orthogonal draw and the entries compared; and the pairs once more for closed forms.
double errorProducts(const KernelErrorSource& source, const KernelErrorOptions& options);

// E_RANGE, before anything is drawn, where a sweep would be too long or too large.
void requireSmallSweep(const KernelErrorSource& source, const KernelErrorOptions& options);

// The same for a stack of layers.
void requireSmallStack(const LayerErrorOptions& options);

} // namespace attention
