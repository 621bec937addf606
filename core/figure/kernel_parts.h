// What the pictures of attention matrices and of their spectra share (scene_kernels.h).
#pragma once

#include "core/analysis/kernel_error.h"
#include "core/scene/kernels_spec.h"

namespace attention {

// The projections of repeat 0 of the sweep: v × d.
Matrix<double> projectionsOf(const KernelsSpec& spec, const Estimator& of, Index projections,
                             Index d, const Run& run);

// 1 / √d.
double scaleFor(const KernelErrorInput& in);

// |A − B|_F / |A|_F; +∞ where an entry is not finite.
double relativeDistance(const Matrix<double>& a, const Matrix<double>& b);

} // namespace attention
