// Ready attention weights W of one model head (n_q × n_k, none negative) seen through a pattern:
// cut to the pattern's keys and normalised again, which is what softmax over these keys gives where
// W is a softmax. T is float or double; weight_maps.h has the pictures of the same.
#pragma once

#include "core/analysis/metrics.h"
#include "core/attention/implied_matrix.h"
#include "core/support/matrix.h"

#include <memory>
#include <span>
#include <vector>

namespace attention {

// Row i of P in the span, where `row` is as long as the span and holds zeros: p_ij = W_ij / Σ_{S_i}
// W over the keys S_i of the pattern. O(keys).
template <class T>
void cutRow(const Prepared& pattern, const Matrix<T>& weights, Index i, const KeySpan& span,
            std::span<T> row);

// Σ_{S_i ∩ B_i} W / Σ_{B_i} W of every row with B the keys of `base`, 0 where these have no weight.
// Uses the threads of `run`; O(keys). Throws Stopped.
template <class T>
CapturedMass readyMass(const Matrix<T>& weights, const std::shared_ptr<const Prepared>& pattern,
                       const std::shared_ptr<const Prepared>& base, const Run& run = {});

// p_ij = W_ij / Σ_{S_i} W over the keys S_i of the pattern, else 0; rows without any weight stay 0.
// Both must outlive it. A row costs O(n_k).
ImpliedMatrix<double> cutWeights(const Matrix<double>& weights, const Prepared& pattern);

// What a pattern keeps of a head.
struct ReadyMeasures {
  double capturedMass = 0;      // mean over the queries of Σ_{S_i ∩ B_i} W / Σ_{B_i} W
  double recall = 0;            // of the k largest weights of each row of the base; S13
  double entropy = 0;           // mean over the queries, nats
  std::vector<Index> emptyRows; // without keys, or without any weight on them
};

// `recallKeys` ≥ 1; ties go to the smaller key. O(n_q n_k log k). Throws Stopped.
ReadyMeasures readyMeasures(const Matrix<double>& weights,
                            const std::shared_ptr<const Prepared>& pattern, const Base& base,
                            Index recallKeys, const Run& run = {});

// O = P V for the weights of cutWeights: n_q × d_v, summed in double. Uses the threads of `run`;
// O(pairs · d_v). Throws Stopped.
template <class T>
Matrix<T> readyOutputs(const Matrix<T>& weights, const Prepared& pattern, MatrixView<const T> v,
                       const Run& run = {});

} // namespace attention
