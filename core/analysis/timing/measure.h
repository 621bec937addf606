// Times of mechanisms on this machine against n, measured as the score board computes them: the
// samples of all mechanisms and sizes and of the register loop of the machine's peak take turns
// (sampler.h), and timings.h evaluates them.
//
// A run is attention of all heads in float32, including its outputs. A pattern that chooses its
// keys by the data chooses them again in every run, and the time includes both; patterns of index
// arithmetic, projections and Linformer's matrices do not depend on the input and are made once per
// size, before it is timed.
#pragma once

#include "core/analysis/score/score_board.h"
#include "core/analysis/timing/sampler.h"
#include "core/analysis/timing/timings.h"

namespace attention {

// q, k: n × d, v: n × d_v.
struct TimedHead {
  Matrix<float> q;
  Matrix<float> k;
  Matrix<float> v;
};

// The input of one size, requested once per head and size; all sizes have the same d and d_v.
using TimingInput = std::function<TimedHead(Index n, Index head, const Run& run)>;

struct TimingOptions {
  std::vector<Index> sizes; // n; in any order, each once
  Index d = 64;             // of the input's heads
  Index heads = 1;
  int threads = 1; // of each run and of the peak
  Index fitFrom = kFitFrom;
  SamplingOptions sampling;
};

// `onChange` is called with the partial result after each sample. Before any work: E_TYPE without a
// mechanism or a size, E_N, E_RANGE (sizes, heads, samples, seconds, parameters out of range at
// some size); also throws what prepare and attend throw.
Timings measureTimings(std::span<const ScoredMethod> methods, const TimingInput& input,
                       const TimingOptions& options,
                       const std::function<void(const Timings&)>& onChange = {},
                       const Run& run = {});

} // namespace attention
