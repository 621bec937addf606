// Attention of several heads (S3.5). Head h uses its own pattern, and key/value head
// ⌊h · kvHeads / heads⌋: fewer key/value heads than query heads share keys and values among groups
// (grouped-query attention, Ainslie et al. 2023).
//
// From embeddings: Q = X W_Q, K = X W_K, V = X W_V; head h takes columns [h·d_h, (h+1)·d_h) with
// d_h = D / heads; the heads' outputs side by side times W_O. The scale is 1/√d_h.
#pragma once

#include "core/attention/attend.h"

#include <memory>
#include <span>

namespace attention {

using PreparedHeads = std::vector<std::shared_ptr<const Prepared>>;

// One result per query head. q: one view n_q × d per query head; k, v: one view per key/value head.
// `patterns`: one for all heads, or one per head. E_RANGE: the number of key/value heads does not
// divide the number of heads; E_SHAPE: as attend, or a wrong number of patterns.
template <class T>
std::vector<Attention<T>>
attendHeads(const PreparedHeads& patterns, std::span<const MatrixView<const T>> q,
            std::span<const MatrixView<const T>> k, std::span<const MatrixView<const T>> v,
            const AttendOptions& options = {}, const Run& run = {});

template <class T>
struct MultiheadWeights {
  Matrix<T> query;  // D_in × D
  Matrix<T> key;    // D_in × kvHeads · d_h
  Matrix<T> value;  // D_in × kvHeads · d_h
  Matrix<T> output; // D × D_out; empty: the heads' outputs side by side
};

// x: n × D_in. The result has n rows. E_RANGE: heads does not divide D, or kvHeads does not divide
// heads; E_SHAPE.
template <class T>
Matrix<T> multihead(const PreparedHeads& patterns, MatrixView<const T> x,
                    const MultiheadWeights<T>& weights, Index heads, Index kvHeads,
                    const AttendOptions& options = {}, const Run& run = {});

// What multihead passes to the heads: q of every query head, k and v of every key/value head.
template <class T>
struct ProjectedHeads {
  std::vector<Matrix<T>> q;
  std::vector<Matrix<T>> k;
  std::vector<Matrix<T>> v;
};

template <class T>
ProjectedHeads<T> projectHeads(MatrixView<const T> x, const MultiheadWeights<T>& weights,
                               Index heads, Index kvHeads);

} // namespace attention
