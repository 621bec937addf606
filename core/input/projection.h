// Embeddings and weights to queries, keys and values of several heads (S3.5): Q = X·Wq, K = X·Wk,
// V = X·Wv, head h has columns [h d, (h + 1) d). Keys and values may have fewer heads than queries
// where their weights have fewer columns.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <optional>

namespace attention {

struct Weights {
  Matrix<double> wq;                // D × (H d)
  Matrix<double> wk;                // D × (Hkv d)
  Matrix<double> wv;                // D × (Hkv dv)
  std::optional<Matrix<double>> wo; // (H dv) × D
};

// All heads side by side.
struct Projected {
  Matrix<double> q;
  Matrix<double> k;
  Matrix<double> v;
  Index heads = 1;
  Index kvHeads = 1;
  std::optional<Matrix<double>> wo;

  Index d() const { return q.cols() / heads; }
  Index dv() const { return v.cols() / kvHeads; }
};

// x: n × D, row i is token i. E_RANGE: heads < 1 or not a divisor of D or of Wq's columns; E_SHAPE:
// weights that do not fit X or each other. O(n D H d).
Projected project(const Matrix<double>& x, const Weights& weights, Index heads,
                  const Run& run = {});

// a · b, where a has as many columns as b has rows; checks `run` once per block of rows.
Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b, const Run& run = {});

// Columns [head · width, (head + 1) · width).
template <class T>
Matrix<T> columnsOf(const Matrix<double>& matrix, Index head, Index width);

extern template Matrix<float> columnsOf<float>(const Matrix<double>&, Index, Index);
extern template Matrix<double> columnsOf<double>(const Matrix<double>&, Index, Index);

} // namespace attention
