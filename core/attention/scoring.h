// What happens to a product q·k before the softmax, in this order:
//
//   u = scale · q·k,    u := c tanh(u / c) where there is a soft cap c (Gemma 2).
//
// Masking comes after that, so that a cap never brings masked pairs back.
#pragma once

#include "core/support/integers.h"

#include <optional>
#include <span>

namespace attention {

struct Scoring {
  double scale = 1;
  std::optional<double> softcap = {}; // c > 0; nothing: scores have no bound
  bool operator==(const Scoring&) const = default;

  double operator()(double product) const;
};

// Products q·k become scores. In floats c is kept within the type.
template <class T>
void scoreProducts(std::span<T> products, const Scoring& scoring);

// The given scale, or 1/√d, and the cap. E_NONFINITE; E_RANGE: a cap that is not positive.
Scoring scoringOf(const std::optional<double>& scale, const std::optional<double>& softcap,
                  Index d);

// The factors for queries and keys where kernels and random features read them, which work on q·k /
// √d (S7.1): the scale goes into both alike, the sign of a negative one into the queries. Both are
// 1 where there is no scale.
struct ScaleFactors {
  double query = 1;
  double key = 1;
};
ScaleFactors scaleFactors(const std::optional<double>& scale, Index d);

} // namespace attention
