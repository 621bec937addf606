// Linformer (S8; Wang et al. 2020): keys and values projected along the sequence,
//
//   out = softmax(scale · Q (E K)ᵀ) (F V),   E, F: k × n,   softmax over the k projected keys.
//
// E = F = I is exact attention. Since E mixes all positions it is not defined for causal masks.
#pragma once

#include "core/support/matrix.h"
#include "core/support/run.h"

#include <cstdint>
#include <optional>

namespace attention {

struct LinformerOptions {
  std::optional<double> scale; // 1/√d where not given
  bool causal = false;         // refused: E_UNSUPPORTED
  int threads = 0;
  std::optional<double> softcap = {}; // of scores, like the next two (scoring.h)
  double temperature = 1;
  std::optional<double> sink = {};
};

template <class T>
struct Linformer {
  Matrix<T> out;             // n_q × d_v
  Matrix<T> projectedKeys;   // E K: k × d
  Matrix<T> projectedValues; // F V: k × d_v
};

// q: n_q × d, k: n_k × d, v: n_k × d_v, e and f: k × n_k. O(k (n_k + n_q) (d + d_v)). E_SHAPE,
// E_NONFINITE, E_UNSUPPORTED.
template <class T>
Linformer<T> linformer(MatrixView<const T> q, MatrixView<const T> k, MatrixView<const T> v,
                       MatrixView<const T> e, MatrixView<const T> f,
                       const LinformerOptions& options = {}, const Run& run = {});

// Entries N(0, 1/k) of Philox, purpose 9 (S9).
enum class LinformerSide : std::uint32_t { Keys = 0, Values = 1 }; // E, F
// k × n. E_RANGE: k or n below 1.
Matrix<double> drawLinformer(Index k, Index n, std::uint64_t seed, LinformerSide side);

} // namespace attention
