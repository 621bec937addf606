// A sink (specification T8; gpt-oss): one more key of value 0, whose logit is given. Attention over
// the keys alone becomes
//
//   lse := ln(e^lse + e^sink),   out := out · e^(lse before − lse after).
//
// A row without keys has the sink alone. Parts merge before it (merge.h), and get it once.
#pragma once

#include <cmath>
#include <optional>
#include <span>

namespace attention {

// ln(e^lse + e^sink); lse may be −∞.
template <class T>
T withSink(T lse, double sink);

// e^maximum / (sum · e^maximum + e^sink): what a key of weight 1 gets beside a sink, where `sum` is
// of weights relative to the largest score.
inline double shareBeside(double sink, double maximum, double sum) {
  const double apart = std::exp(-std::abs(sink - maximum));
  return sink <= maximum ? 1 / (sum + apart) : apart / (sum * apart + 1);
}

// The same for many queries, by vector code: sums ← shares, without a sink 1 / sum. Relative errors
// are below 2^−22 and that of the difference; e^−87 and less counts as 0.
void sharesBeside(std::optional<float> sink, std::span<const float> maxima, std::span<float> sums);

// The sink in the type. E_NONFINITE: beyond it; far below, its least number.
template <class T>
T sinkAs(double sink);

// lse ← withSink(lse), of every query.
template <class T>
void addSink(std::span<T> lse, T sink);

} // namespace attention
