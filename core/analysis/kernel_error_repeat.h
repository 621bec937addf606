// One repeat of the kernel-error sweep: its input, the exact attention for it, its pairs, and the
// errors of one curve at one number of projections.
#pragma once

#include "core/analysis/kernel_error.h"

#include <memory>
#include <utility>
#include <vector>

namespace attention {

using IndexPairs = std::vector<std::pair<Index, Index>>;

struct ExactRepeat {
  KernelErrorInput input;
  Matrix<double> out;
  std::vector<double> lse;
  IndexPairs pairs;
  double meanSquare = 0; // of out
};

// Checks the input too: E_SHAPE, E_NONFINITE.
std::shared_ptr<const ExactRepeat> exactRepeat(KernelErrorInput input,
                                               const KernelErrorOptions& options, Index repeat,
                                               const Run& run);

// Sums over entries; means are taken over all repeats.
struct EntrySums {
  double squares = 0;
  double abs = 0;
  double maxAbs = 0;
  Index count = 0;

  void add(double error);
  void add(const EntrySums& other);
  EntryErrors errors() const;
};

struct RepeatErrors {
  double mse = 0; // of the output
  EntrySums kernel;
  EntrySums matrix;
  Index negativeRows = 0;
  Index zeroRows = 0;
  Index nonFiniteRows = 0;
};

// Estimates with v projections are kept, and larger ones only add what is new: the first v rows of
// a draw are the draw of v rows, and for a and b separate projections Â_{a+b} = (a Â_a + b Â_b) /
// (a + b).
struct KeptEstimate {
  Index projections = 0;       // so far
  Matrix<double> sums;         // [Â V, Â 1] times them, not normalised: n × (d_v + 1)
  std::vector<double> entries; // of the repeat's pairs, times them
};

// Whether the estimates of such a sweep can be kept: no stabiliser (its shift depends on all
// projections), no offset, and only seeded pairs.
bool canKeep(const KernelErrorOptions& options);

// Features of queries and keys, reused for one repeat after another on the same thread.
struct RepeatRoom {
  std::vector<double> q;
  std::vector<double> k;
};

// Errors at `projections`; where `kept` is given, only what it lacks is computed.
RepeatErrors repeatErrors(const ExactRepeat& exact, const Estimator& curve, Index projections,
                          const KernelErrorOptions& options, Index repeat, KeptEstimate* kept,
                          RepeatRoom& room, const Run& run);

// Means over the repeat's pairs of the moments of one projection: [variance, covariance, squared
// bias], from which the theory for every v follows.
struct MeanMoments {
  double single = 0;
  double pair = 0;
  double squaredBias = 0;
  double squaredGap = 0; // (SM − L)², Theorem 2's
};
MeanMoments meanMoments(const ExactRepeat& exact, const Estimator& curve, const Run& run);

} // namespace attention
