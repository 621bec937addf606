// The plain twin of attend: doubles, key by key, slow and simple by design. It equals
//
//   p = softmax(where(mask, cap(scale · einsum("id,jd->ij", q, k)), −inf)),
//   out = einsum("ij,jv->iv", p, v)
//
// with rows that see no key set to zero, and the gated sum of its branches where a pattern has some
// (branches.h). Every fast path is tested against it.
#pragma once

#include "core/attention/attend.h"

namespace attention {

// Shapes, edge cases and errors as attend. O(pairs · (d + d_v)).
Attention<double> attendReference(const Prepared& pattern, MatrixView<const double> q,
                                  MatrixView<const double> k, MatrixView<const double> v,
                                  const AttendOptions& options = {}, const Run& run = {});

} // namespace attention
