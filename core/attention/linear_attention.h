// The linear order of computation (S3.4): where A = Q' K'ᵀ with feature rows of length m, the
// product is taken from the right and A never exists.
//
//   bidirectional   A V = Q' (K'ᵀ V)
//   unidirectional  G_i = G_{i−1} + k'_i v_iᵀ,  row i = q'_i G_i     (prefix sums; key i included)
//
// O(n m d_v) time plus the features; beyond inputs and result O(n d_v + m d_v + threads · block)
// memory. Work is cut into chunks fixed by the sizes and merged in their order, so that results are
// the same bits at any number of threads. Katharopoulos et al. 2020; Choromanski et al. 2021.
#pragma once

#include "core/attention/normalized_rows.h"
#include "core/support/run.h"

#include <functional>

namespace attention {

// Feature rows made on demand: block(begin, end, out) writes rows [begin, end) to `out`, (end −
// begin) × features, from any thread.
template <class T>
struct FeatureSource {
  Index rows = 0;
  Index features = 0; // m
  std::function<void(Index begin, Index end, MatrixView<T> out)> block;
};

// Features of keys that share a factor which is known only after all rows, such as a stabiliser's
// maximum (S7.5): row j is e^{level − top} x_j + added, where `level` is that of its block and
// `top` the largest of all. Sums over blocks are scaled as the level rises, so that no row is made
// twice.
template <class T>
struct KeySource {
  Index rows = 0;
  Index features = 0;   // m
  bool leveled = false; // else every level is 0 and nothing is added
  T added = 0;
  // Raises `level` to what rows [begin, end) need and writes their x to `out`; may be called from
  // any thread.
  std::function<void(Index begin, Index end, T& level, MatrixView<T> out)> block;
};

// Rows without such a factor; `source` must outlive it.
template <class T>
KeySource<T> keysOf(const FeatureSource<T>& source);

// Rows that already exist; the data behind the view must outlive the source.
template <class T>
FeatureSource<T> sourceOf(MatrixView<const T> features);

struct LinearOptions {
  bool causal = false;
  bool normalized = true;
  int threads = 0;
};

// q': n_q × m, k': n_k × m, v: n_k × d_v. E_SHAPE where they do not fit, or causal with n_q ≠ n_k.
template <class T>
KernelAttention<T> linearAttention(const FeatureSource<T>& q, const FeatureSource<T>& k,
                                   MatrixView<const T> v, const LinearOptions& options,
                                   const Run& run = {});

// The same written to `out` (n_q × d_v, also E_SHAPE), which must not overlap v; the result's own
// matrix stays empty.
template <class T>
KernelAttention<T> linearAttentionInto(const FeatureSource<T>& q, const KeySource<T>& k,
                                       MatrixView<const T> v, MatrixView<T> out,
                                       const LinearOptions& options, const Run& run = {});

} // namespace attention
