// How much better positive features are than trigonometric ones (Choromanski et al. 2021, figure
// 2): the ratio r of their mean squared errors by Lemma 2 for two vectors of length |l| at the
// angle φ,
//
//   r(φ, l) = ½ e^{4l²} (1 − e^{−t})² / (e^{2s} − e^{s}),   s = 2l² (1 + cos φ), t = 2l² (1 − cos
//   φ).
//
// It does not depend on the number of projections. Symmetric about φ = 0 and l = 0.
#pragma once

#include "core/support/integers.h"
#include "core/support/matrix.h"

namespace attention {

// MSE of trig over MSE of positive features: 0 at φ = 0, where trig is exact; it grows without
// bound towards φ = ±π, where positive features are exact. At l = 0 both are exact: the limit, 0.
double errorRatio(double angle, double length);

// The angle in (0, π) at which both errors are equal, for a length above 0: positive features are
// better beyond it.
double equalAngle(double length);

// MSE of m projections for such a pair of vectors (lemma2Mse).
struct AngleErrors {
  double trig = 0;
  double positive = 0;
};
AngleErrors errorsAt(double angle, double length, Index projections);

// log10 r at the middles of rows × columns cells of φ ∈ [−π, π] (columns) and l ∈ [−most, most]
// (rows, the largest l first).
Matrix<float> logRatioMap(Index rows, Index columns, double most);

} // namespace attention
