// Attention (attend.h) written where the caller wants it, without a matrix of its own.
#pragma once

#include "core/attention/attend.h"

#include <span>

namespace attention {

// out: n_q × d_v, whose rows may have gaps between them; lse: n_q, −∞ for an empty row, or empty
// where it is not wanted. Neither may overlap q, k or v, which are read after the first rows are
// written; that is for the caller to see to. Beyond them O(n + threads · tile) memory; n_q × d_v
// floats more where parts are averaged (Combine::Mean), n_k × d where keys are scaled queries
// (logit_keys.h). Throws as attend; E_SHAPE also where out or lse do not fit. Numbers are looked
// at on the way: after an error or a stop, out and lse may be partly written.
void attendInto(const Prepared& pattern, MatrixView<const float> q, MatrixView<const float> k,
                MatrixView<const float> v, MatrixView<float> out, std::span<float> lse,
                const AttendOptions& options = {}, const Run& run = {});

} // namespace attention
