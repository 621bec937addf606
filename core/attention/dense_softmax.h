// Softmax attention over all keys with dense products in either precision:
// softmax(scale · Q Kᵀ) V = einsum("ij,jv->iv", p, v), with the scores of one block of queries at a
// time. Dense approximations are measured against it, and Linformer ends with it.
#pragma once

#include "core/attention/scoring.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <vector>

namespace attention {

// q: n_q × d, k: n_k × d, v: n_k × d_v → n_q × d_v. The shapes must fit. O(n_q n_k (d + d_v)) time,
// O(threads · 64 · n_k) memory; the same bits at any number of threads.
template <class T>
Matrix<T> denseSoftmaxAttention(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                                const Scoring& scoring, int threads = 0, const Run& run = {});

struct DenseOptions {
  Scoring scoring = {};
  bool causal = false; // only j ≤ i; needs n_q = n_k
  int threads = 0;
};

template <class T>
struct DenseSoftmax {
  Matrix<T> out;
  std::vector<T> lse; // n_q: ln Σ_j exp(s_ij)
};

// The same with lse, over all keys or j ≤ i.
template <class T>
DenseSoftmax<T> denseSoftmax(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                             const DenseOptions& options, const Run& run = {});

// Rows [begin, end) of softmax(scale · Q Kᵀ): (end − begin) × n_k.
template <class T>
Matrix<T> denseSoftmaxRows(MatrixView<const T> q, MatrixView<const T> k, const Scoring& scoring,
                           Index begin, Index end);

} // namespace attention
