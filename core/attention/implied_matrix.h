// The matrix by which a mechanism multiplies the values, out = Â V, however it computes that: its
// result for V = I. It is never stored; rows are made on demand, so that mechanisms can be compared
// cell by cell at any n. The data behind views and the patterns must outlive it.
#pragma once

#include "core/attention/attend.h"
#include "core/attention/features/feature_map.h"
#include "core/attention/kernel.h"
#include "core/attention/linformer.h"

#include <functional>

namespace attention {

template <class T>
struct ImpliedMatrix {
  Index rows = 0; // n_q
  Index cols = 0; // n_k
  // Rows [begin, end) as (end − begin) × n_k; may be called from any thread.
  std::function<Matrix<T>(Index begin, Index end)> rowsAt;
};

// Softmax attention over a pattern: p_ij. A row costs O(n_k + |S_i| d).
template <class T>
ImpliedMatrix<T> impliedByPattern(const Prepared& pattern, MatrixView<const T> q,
                                  MatrixView<const T> k, const AttendOptions& options = {});

// A, or D⁻¹ A, of a general kernel over a pattern. A row costs O(n_k + |S_i| d).
template <class T>
ImpliedMatrix<T> impliedByKernel(const Prepared& pattern, MatrixView<const T> q,
                                 MatrixView<const T> k, const KernelOptions& options);

// Q' K'ᵀ, or D⁻¹ Q' K'ᵀ, cut to j ≤ i where causal. A row costs O(n_k m), plus the features once.
template <class T>
ImpliedMatrix<T> impliedByFeatures(const FeatureSource<T>& q, const FeatureSource<T>& k,
                                   const LinearOptions& options);

// softmax(scale · Q (E K)ᵀ) F, of rank at most k. A row costs O(k (n_k + d)).
template <class T>
ImpliedMatrix<T> impliedByLinformer(MatrixView<const T> q, MatrixView<const T> projectedKeys,
                                    MatrixView<const T> f, const Scoring& scoring);

} // namespace attention
