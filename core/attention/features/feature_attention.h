// Attention by random features (S7; Performer's FAVOR+ and its kin): D⁻¹ Q' (K'ᵀ V) with Q' = φ(Q),
// K' = φ(K), in O(n m (d + d_v)) time and O(n d_v + m d_v + v d) memory beyond inputs and result;
// features are made in blocks and never n × n.
#pragma once

#include "core/attention/features/feature_map.h"

namespace attention {

// q: n_q × d, k: n_k × d, v: n_k × d_v, W: v × d (empty for elu1). Errors as featuresOf and
// linearAttention; E_NONFINITE for inputs; E_RANGE: not normalised but with a stabiliser, whose
// factors then do not cancel. Means of large values do not overflow (large_values.h).
template <class T>
KernelAttention<T> featureAttention(MatrixView<const T> q, MatrixView<const T> k,
                                    MatrixView<const T> v, const Matrix<double>& w,
                                    const FeatureOptions& features, const LinearOptions& options,
                                    const Run& run = {});

// The same written to `out` (n_q × d_v, also E_SHAPE), which must not overlap q, k or v; the
// result's own matrix stays empty.
template <class T>
KernelAttention<T> featureAttentionInto(MatrixView<const T> q, MatrixView<const T> k,
                                        MatrixView<const T> v, MatrixView<T> out,
                                        const Matrix<double>& w, const FeatureOptions& features,
                                        const LinearOptions& options, const Run& run = {});

} // namespace attention
