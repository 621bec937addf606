// Attention by kernels and random features over all heads and batches of an input.
#pragma once

#include "app/cli/head_selection.h"
#include "core/analysis/metrics.h"
#include "core/attention/features/feature_attention.h"
#include "core/attention/implied_matrix.h"
#include "core/attention/kernel.h"

#include <memory>
#include <optional>

namespace attention::cli {

// Uses random features where `features` is given, else `kernel` over the pattern.
struct KernelRunMethod {
  std::optional<FeatureOptions> features;
  Matrix<double> w; // projections, v × d; empty if the map takes none
  Kernel kernel = Kernel::Softmax;
  // For the kernel: one pattern for all planes, or one each where they depend on the data.
  std::vector<std::shared_ptr<const Prepared>> patterns;
  bool causal = false; // for the features; also the base that the error is measured against
  bool normalized = true;
  int threads = 0;

  const Prepared& pattern(Index plane) const {
    return *patterns[patterns.size() == 1 ? 0 : static_cast<std::size_t>(plane)];
  }
};

template <class T>
struct KernelRunResult {
  std::vector<T> out;
  std::vector<Index> shape;                // the input's with d_v last, heads joined (S3.5)
  std::vector<std::vector<Index>> flagged; // of each plane
  Index zeroRows = 0;                      // over all planes
  Index negativeRows = 0;
  Index nonFiniteRows = 0;
  std::vector<std::vector<Index>> notFinite; // of each plane
  std::optional<OutputError> error;          // against softmax attention, over all planes
  double seconds = 0;                        // of the attention only
};

// `error`: whether to compute softmax attention too, O(n²).
template <class T>
KernelRunResult<T> runKernel(const KernelRunMethod& method, const Input& input,
                             const HeadSelection& heads, bool error, const Run& run);

// Â of every plane as one .npy [leading axes, n_q, n_k], row by row.
template <class T>
void writeImplied(const KernelRunMethod& method, const Input& input, const HeadSelection& heads,
                  const std::string& path, const Run& run);

} // namespace attention::cli
