// What happens to a product q·k before the softmax (specification T8), in this order:
//
//   u = scale · q·k
//   u := c tanh(u / c)    where there is a soft cap c (Gemma 2)
//   u := u + b_ij         where there is a bias (ALiBi, T5); before the cap where `biasFirst`
//   u := u / T            the temperature
//
// Masking comes after that, so that a cap never brings masked pairs back. A sink adds e^sink to the
// denominator (gpt-oss): one more key, of value 0, whose logit nothing above changes.
#pragma once

#include "core/attention/bias/position_bias.h"
#include "core/support/integers.h"

#include <cmath>
#include <optional>
#include <span>

namespace attention {

struct Scoring {
  double scale = 1;
  std::optional<double> softcap = {}; // c > 0; nothing: scores have no bound
  PositionBias bias = {};
  bool biasFirst = false;
  double temperature = 1;          // T > 0
  std::optional<double> sink = {}; // its logit
  Index offset = 0;                // query i stands at token i + offset
  bool operator==(const Scoring&) const = default;

  // The score of query i and key j.
  double operator()(double product, Index i, Index j) const;
  // The same, with a call of each(step, value) after every step that there is.
  template <class Each>
  double walk(double product, Index i, Index j, const Each& each) const;
  // Whether all that happens is a scale.
  bool onlyScales() const;
};

enum class ScoreStep { Scale, Cap, Bias, Temperature };

template <class Each>
double Scoring::walk(double product, Index i, Index j, const Each& each) const {
  double u = scale * product;
  each(ScoreStep::Scale, u);
  const auto addBias = [&] {
    if (!bias.none())
      each(ScoreStep::Bias, u += bias.at(i + offset, j));
  };
  if (biasFirst)
    addBias();
  if (softcap)
    each(ScoreStep::Cap, u = *softcap * std::tanh(u / *softcap));
  if (!biasFirst)
    addBias();
  if (temperature != 1)
    each(ScoreStep::Temperature, u /= temperature);
  return u;
}

// Products of query i and keys first, first + 1, … become scores. In floats c is kept within the
// type.
template <class T>
void scoreProducts(std::span<T> products, const Scoring& scoring, Index i, Index first);

// The factors for queries and keys where kernels and random features read them, which work on q·k /
// √d (S7.1): the scale goes into both alike, the sign of a negative one into the queries. Both are
// 1 where there is no scale.
struct ScaleFactors {
  double query = 1;
  double key = 1;
};
ScaleFactors scaleFactors(const std::optional<double>& scale, Index d);

} // namespace attention
