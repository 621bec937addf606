// A sink (specification T8; gpt-oss): one more key of value 0, whose logit is given. Attention over
// the keys alone becomes
//
//   lse := ln(e^lse + e^sink),   out := out · e^(lse before − lse after).
//
// A row without keys has the sink alone. Parts merge before it (merge.h), and get it once.
#pragma once

#include "core/attention/exp.h"
#include "core/support/matrix.h"

#include <span>

namespace attention {

// ln(e^lse + e^sink); lse may be −∞.
template <class T>
T withSink(T lse, double sink);

// e^(lse before − lse after): the weight that a sink leaves to keys of this lse, which may be −∞.
inline float shareBeside(float sink, float lse) {
  const float smaller = expOfNegative(-std::abs(lse - sink)); // of the two, relative to the larger
  return (lse >= sink ? 1 : smaller) / (1 + smaller);
}
inline double shareBeside(double sink, double lse) {
  const double smaller = std::exp(-std::abs(lse - sink));
  return (lse >= sink ? 1 : smaller) / (1 + smaller);
}

// The sink in the type. E_NONFINITE: beyond it; far below, its least number.
template <class T>
T sinkAs(double sink);

// lse ← withSink(lse), of every query.
template <class T>
void addSink(std::span<T> lse, T sink);

} // namespace attention
