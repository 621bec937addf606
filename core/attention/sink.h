// A sink (specification T8; gpt-oss): one more key of value 0, whose logit is given. Attention over
// the keys alone becomes
//
//   lse := ln(e^lse + e^sink),   out := out · e^(lse before − lse after).
//
// A row without keys has the sink alone. Parts merge before it (merge.h), and get it once.
#pragma once

#include "core/support/matrix.h"

#include <span>

namespace attention {

// ln(e^lse + e^sink); lse may be −∞.
template <class T>
T withSink(T lse, double sink);

// out: n_q × d_v, lse: n_q. E_NONFINITE: a sink beyond the type.
template <class T>
void addSink(MatrixView<T> out, std::span<T> lse, double sink);

} // namespace attention
