// Softmax attention over all keys with dense products in either precision:
// softmax(scale · Q Kᵀ) V = einsum("ij,jv->iv", p, v), the scores of a block of queries at a time.
// What dense approximations are measured against, and what they end with (Linformer).
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

namespace attention {

// q: n_q × d, k: n_k × d, v: n_k × d_v → n_q × d_v. The shapes must fit. O(n_q n_k (d + d_v)) time,
// O(threads · 64 · n_k) memory; the same bits at any number of threads.
template <class T>
Matrix<T> denseSoftmaxAttention(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                                double scale, int threads = 0, const Run& run = {});

// Rows [begin, end) of softmax(scale · Q Kᵀ): (end − begin) × n_k.
template <class T>
Matrix<T> denseSoftmaxRows(MatrixView<const T> q, MatrixView<const T> k, double scale, Index begin,
                           Index end);

} // namespace attention
