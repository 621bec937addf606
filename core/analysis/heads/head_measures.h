// What a head of attention does, in a few numbers: how much weight goes to the query's own key, to
// the previous and the first one, nearby and beyond, to earlier occurrences of the query's token
// and to what followed them, and how spread out it is. Weights p_ij are the softmax over a base's
// keys, or ready weights cut to those keys and normalised again.
//
// Query i is token t = i + offset of the base's lengths. Means are over queries; a query without a
// key gives zeros.
#pragma once

#include "core/analysis/heads/token_repeats.h"
#include "core/attention/attend.h"

#include <optional>

namespace attention {

struct HeadMeasures {
  double self = 0;                // p_it
  std::optional<double> previous; // p_i,t−1 over the queries t ≥ 1; nothing without one
  std::optional<double> first;    // p_i0 over the same
  double within = 0;              // Σ p_ij over |t − j| ≤ near
  double beyond = 0;              // 1 − within
  double entropy = 0;             // −Σ p ln p, nats
  std::optional<double> previousOccurrence; // Σ p_ij over the j < t with the token of t
  std::optional<double> induction;          // Σ p_i,j+1 over the same j
  bool operator==(const HeadMeasures&) const = default;
};

constexpr Index kDefaultNear = 8; // tokens

// The last two are means over the queries whose token occurred before; nothing without one, or
// where `repeats` is null. `near` ≥ 0.
struct HeadMeasuring {
  const Prepared& base;
  const TokenRepeats* repeats = nullptr; // of the n_k tokens
  Index near = kDefaultNear;
};

// q: n_q × d, k: n_k × d. O(pairs of the base · d) time, where all rows of a block extend to its
// last key; never n × n in memory. The same bits at any number of threads. E_SHAPE, E_NONFINITE as
// attend; Stopped.
HeadMeasures headMeasures(const HeadMeasuring& how, MatrixView<const double> q,
                          MatrixView<const double> k, const AttendOptions& options = {},
                          const Run& run = {});

// The same for ready weights, n_q × n_k, none negative. O(n_q n_k).
HeadMeasures headMeasures(const HeadMeasuring& how, const Matrix<double>& ready,
                          const Run& run = {});

} // namespace attention
