// Attention weights on demand: p_ij = exp(s_ij − lse_i) for the visible cells, from Q, K and the
// lse of an earlier attend; where several softmaxes become one output, what a key has in it
// (row_weights.h). Nothing is stored, so pictures of any n are possible; the cost is that
// of the visible cells.
#pragma once

#include "core/attention/row_weights.h"

#include <span>

namespace attention {

// The data behind the views must outlive the calls.
template <class T>
struct WeightSource {
  const Prepared& pattern;
  MatrixView<const T> q; // n_q × d
  MatrixView<const T> k; // n_k × d, as given: the pattern's rule makes the keys from them
  std::span<const T> lse;
  Scoring scoring;
  const WeightKeys<T>* keys = nullptr; // of these; null: made by every call
};

// p_ij; exactly 0 for a cell outside the pattern (except for a lone query, outputs.h, and for keys
// of which a branch reads a mean). O(d), or O(keys of the row · d) where several softmaxes become
// one output, and O(n_k d) more to make the keys of branches where the source has none.
template <class T>
T weightAt(const WeightSource<T>& source, Index i, Index j);

// p of the cells of `cells` (within the mask): rows × keys, else as weightAt. O(pairs of the
// rectangle · d).
template <class T>
Matrix<T> weightsOf(const WeightSource<T>& source, const Rect& cells, int threads = 0,
                    const Run& run = {});

enum class Reduction {
  Maximum, // the largest p of the pixel's cells
  Sum,     // the attention that passes through the pixel
};

// Pixel (a, b) covers rows [rowEdges[a], rowEdges[a+1]) × keys [keyEdges[b], keyEdges[b+1]); edges
// never decrease and lie within the mask. The result has rowEdges.size() − 1 rows. O(pairs within
// the edges · d): the caller decides what is affordable. Progress by rows of pixels.
template <class T>
Matrix<T> weightsPicture(const WeightSource<T>& source, std::span<const Index> rowEdges,
                         std::span<const Index> keyEdges, Reduction reduction, int threads = 0,
                         const Run& run = {});

} // namespace attention
