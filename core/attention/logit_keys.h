// The keys from which logits are made (outputs.h): k itself, or the queries, scaled row by row as
// in Reformer (S6.6):
//
//   Rms:  k = x / sqrt(mean(x²) + 1e-6),   Unit:  k = x / max(|x|, 1e-12).
//
// Scaled in double, whatever T is.
#pragma once

#include "core/pattern/outputs.h"
#include "core/support/matrix.h"

namespace attention {

template <class T>
class LogitKeys {
public:
  // q, k: n × d; their data must outlive this. O(n d) unless the rule is plain.
  LogitKeys(const KeyRule& rule, MatrixView<const T> q, MatrixView<const T> k);

  MatrixView<const T> view() const { return scaled_.rows() > 0 ? scaled_.view() : given_; }

private:
  MatrixView<const T> given_;
  Matrix<T> scaled_;
};

} // namespace attention
