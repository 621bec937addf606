// Exact softmax attention over a pattern (S3.1): query i attends to the keys j of its row S_i,
//
//   s_ij = scale · q_i·k_j,  p_ij = exp(s_ij − lse_i),  o_i = Σ_{j ∈ S_i} p_ij v_j,
//   lse_i = ln Σ_{j ∈ S_i} exp(s_ij),
//
// and score modifiers (a cap, a bias, a temperature, a sink) change s_ij or the sum as scoring.h
// has it.
//
// Shapes: q: n_q × d, k: n_k × d, v: n_k × d_v; row i is token i. A row without keys gives zeros
// and lse −∞, and is listed; it is not an error.
//
// Where a pattern says so (outputs.h), keys are made from the queries, and parts are separate
// softmaxes that combine by lse or mean (S5.3, S6); lse is that of all parts together, with a key
// of two parts counted twice.
//
// A pattern with branches (NSA, S22) has their outputs added with gates (branches.h); lse is that
// of one softmax over its cells.
//
// Floats are computed in tiles with a running maximum (Milakov & Gimelshein 2018; Dao et al. 2022),
// never n × n in memory; doubles by the plain twin against which the tiles are tested.
#pragma once

#include "core/attention/scoring.h"
#include "core/pattern/prepared.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <optional>
#include <span>
#include <vector>

namespace attention {

// The modifiers of one head's scores (scoring.h), and how they are computed. modifiers.h makes them
// from those of all heads.
struct AttendOptions {
  std::optional<double> scale; // multiplier of q·k; 1/√d where not given
  int threads = 0; // 0: the machine's number; the result has the same bits at any number
  std::optional<double> softcap = {}; // of scores, > 0; nothing: none
  PositionBias bias = {};
  bool biasFirst = false; // before the cap
  double temperature = 1; // > 0
  std::optional<double> sink = {};
};

template <class T>
struct Attention {
  Matrix<T> out;                 // n_q × d_v
  std::vector<T> lse;            // n_q, natural logarithm; −∞ for an empty row without a sink
  std::vector<Index> emptyRows;  // ascending
  std::vector<T> lseOfKeys = {}; // lse without the sink; empty where there is none
};

// The float path. O(pairs · (d + d_v)) time for patterns made of windows, blocks and combs; beyond
// inputs and result O(n + threads · tile) memory, except in the two cases of attendInto. d_v = 0 is
// allowed and gives only lse. Throws E_SHAPE, E_NONFINITE (also of scale, and of scores beyond the
// type), Stopped.
Attention<float> attend(const Prepared& pattern, MatrixView<const float> q,
                        MatrixView<const float> k, MatrixView<const float> v,
                        const AttendOptions& options = {}, const Run& run = {});

// The same in double precision, by attendReference.
Attention<double> attend(const Prepared& pattern, MatrixView<const double> q,
                         MatrixView<const double> k, MatrixView<const double> v,
                         const AttendOptions& options = {}, const Run& run = {});

// lse of the keys, without the sink.
template <class T>
const std::vector<T>& lseOfKeys(const Attention<T>& result) {
  return result.lseOfKeys.empty() ? result.lse : result.lseOfKeys;
}

inline AttendOptions withoutSink(AttendOptions options) {
  options.sink.reset();
  return options;
}

// lse_i of every query, as from attend, with the sink and without values. O(pairs · d).
template <class T>
std::vector<T> logSumExp(const Prepared& pattern, MatrixView<const T> q, MatrixView<const T> k,
                         const AttendOptions& options = {}, const Run& run = {});

// What the options do to scores, with 1/√d where they have no scale; `lengths` say at which token a
// query stands. E_NONFINITE; E_RANGE: a cap or a temperature that is not positive.
Scoring scoringOf(const AttendOptions& options, Index d, const Lengths& lengths);

// The same where kernels and random features stand for softmax: of the scale and the temperature.
ScaleFactors scaleFactors(const AttendOptions& options, Index d);

// What attend checks in its input: shapes against the pattern's lengths, finite numbers. Throws
// E_SHAPE, E_NONFINITE ("Q has a NaN at row 3, column 0").
template <class T>
void checkInput(const Lengths& lengths, MatrixView<const T> q, MatrixView<const T> k,
                MatrixView<const T> v);

// The same, written where the caller wants it, without allocating a matrix. out: n_q × d_v, with
// gaps between its rows allowed; lse: n_q, with the sink, or empty if it is not wanted.
// Neither may overlap q, k or v, which are still read after the first rows are written; the caller
// must ensure this. Beyond them O(n + threads · tile) memory; n_q × d_v floats more where parts are
// averaged (Combine::Mean), n_k × d where keys are scaled queries (logit_keys.h). Throws as attend;
// E_SHAPE also where out or lse do not fit. Numbers are checked along the way: after an error or a
// stop, out and lse may be partly written.
void attendInto(const Prepared& pattern, MatrixView<const float> q, MatrixView<const float> k,
                MatrixView<const float> v, MatrixView<float> out, std::span<float> lse,
                const AttendOptions& options = {}, const Run& run = {});

} // namespace attention
