// Norms of rows (Zhang & Sennrich, arXiv 1910.07467; Ba et al., arXiv 1607.06450):
//
//   Rms    y = x / √(mean x² + ε) · w
//   Layer  y = (x − mean x) / √(variance of x + ε) · w + b
#pragma once

#include "core/model/model.h"
#include "core/support/matrix.h"

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

} // namespace attention
