// What the forward pass does to rows one by one: norms (Zhang & Sennrich, arXiv 1910.07467; Ba et
// al., arXiv 1607.06450) and activations.
//
//   Rms    y = x / √(mean x² + ε) · w
//   Layer  y = (x − mean x) / √(variance of x + ε) · w + b
#pragma once

#include "core/model/model.h"
#include "core/support/matrix.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <span>

namespace attention {

struct NormRule {
  NormKind kind = NormKind::Rms;
  double epsilon = 1e-6;
};

// One row in place: as many numbers as the norm has weights.
void normalizeRow(const Norm& norm, const NormRule& rule, std::span<float> x);

// y: the shape of x, and may be x. Copies where the norm is empty.
void normalizeRows(const Norm& norm, const NormRule& rule, MatrixView<const float> x,
                   MatrixView<float> y, const Run& run);

// Calls each(i) for i in [0, rows), in chunks fixed by their number; looks at `run` before each.
template <class Each>
void forRows(Index rows, const Run& run, const Each& each) {
  constexpr Index kTogether = 32;
  parallelFor(ceilDiv(rows, kTogether), run.threads, run.quiet(), [&](Index chunk) {
    const Index end = std::min(rows, (chunk + 1) * kTogether);
    for (Index i = chunk * kTogether; i < end; ++i)
      each(i);
  });
}

// What stands between the maps of a feed-forward block (core/attention/activation_rows.h):
// x ← f(x), or f(x) · y where `y` is not empty; of equal lengths.
void activate(Activation activation, std::span<float> x, std::span<const float> y = {});

} // namespace attention
