// How far attention by random features is from softmax attention, against the number of projections
// (S7.6; Choromanski et al. 2021, figure 4): repeated draws of Q, K, V and projections, the mean
// squared error of the normalised output over all its entries, and its statistics over the repeats.
// In addition, the errors of kernel entries φ(q_i)·φ(k_j) and of the attention matrix on seeded
// pairs (i, j), the closed form of Lemma 2 for the former, and what makes estimates fail:
// denominators that are zero, negative or not finite. All in double precision.
#pragma once

#include "core/analysis/feature_moments.h"
#include "core/support/matrix.h"
#include "core/support/run.h"

#include <functional>
#include <limits>
#include <vector>

namespace attention {

struct KernelErrorInput {
  Matrix<double> q; // n × d
  Matrix<double> k; // n × d
  Matrix<double> v; // n × d_v
};

// States how large its inputs are before it makes one.
struct KernelErrorSource {
  Index queries = 0;
  Index keys = 0;
  Index d = 0;
  Index dv = 0;
  std::function<KernelErrorInput(Index repeat)> draw; // once per repeat, from one thread at a time

  KernelErrorInput operator()(Index repeat) const { return draw(repeat); }
};

// The same for all repeats.
KernelErrorSource givenSource(KernelErrorInput input);

// S7.6: Q, K = sigma N(0, 1), V = N(0, 1) from (seed, purpose 1, sub 3r, 3r + 1, 3r + 2).
KernelErrorSource gaussianSource(Index n, Index d, double sigma, std::uint64_t seed);

// trig, positive, hyperbolic × iid, orthogonal.
std::vector<Estimator> defaultCurves();

struct KernelErrorOptions {
  std::vector<Estimator> curves = defaultCurves();
  std::vector<Index> projections{8, 16, 32, 64, 128, 256}; // v
  Index repeats = 15;
  std::uint64_t seed = 0; // repeat r draws its projections with seed + 1000 + r, pairs with seed
  bool sameInput = false; // the source gives every repeat the same input: called once
  bool causal = false;
  Stabilize stabilize = Stabilize::Off; // else entries of the kernel have no meaning and are NaN
  double eps = 0;
  Index pairs = 4096;      // (i, j) per repeat for the errors of entries
  bool allEntries = false; // all n² (causal: j ≤ i) instead; O(n² m) per repeat and curve
  int threads = 0;
};

// Over all repeats and pairs; NaN where not defined.
struct EntryErrors {
  double mse = 0;
  double meanAbs = 0;
  double maxAbs = 0;
};

// Over the repeats' values. Quantiles as in quantileOf.
struct Spread {
  double mean = 0;
  double std = 0; // n − 1; 0 for a single repeat
  double median = 0;
  double q10 = 0, q25 = 0, q75 = 0, q90 = 0;
};

struct KernelErrorRow {
  Estimator curve;
  Index projections = 0;      // v
  Index features = 0;         // m
  std::vector<double> errors; // MSE of the output, one per repeat; +∞ where it is not finite
  Spread output;
  EntryErrors kernel; // φ(q)·φ(k) − exp(q·k/√d)
  EntryErrors matrix; // the same divided by the row's sum, minus p_ij
  double theory = 0;  // closed-form MSE of the kernel's entries, mean over the seeded pairs
  double bound = std::numeric_limits<double>::quiet_NaN(); // Theorem 2: positive orthogonal, v ≤ d
  Index negativeRows = 0; // rows of all repeats with a negative denominator
  Index zeroRows = 0;
  Index nonFiniteRows = 0;
};

struct KernelErrorResult {
  std::vector<KernelErrorRow> rows; // projections vary slowest, curves in their order
  double baseline = 0;    // mean square of the exact output: the error of an all-zero output
  Index rowsCompared = 0; // n · repeats; the counts above are parts of it
  Index pairs = 0;        // entries compared per row of the result
};

// `onRow` is called with the result so far whenever a row is complete, so that curves grow point by
// point; the baseline is there from the first call. E_RANGE, E_SHAPE, E_NONFINITE, Stopped. The
// same bits at any number of threads. O(repeats · (n² d + n m d)) time with m the largest number of
// features if the numbers of projections ascend and nothing is stabilised, else their sum;
// O(repeats · curves · n d + threads · n m) memory.
KernelErrorResult kernelError(const KernelErrorSource& source, const KernelErrorOptions& options,
                              const std::function<void(const KernelErrorResult&)>& onRow = {},
                              const Run& run = {});

// The seed with which repeat r of a sweep with this seed draws its projections (S7.6): seed + 1000
// + r.
std::uint64_t projectionSeed(std::uint64_t seed, Index repeat);

// E_RANGE: no curve, or features other than trig, positive and hyperbolic.
void checkCurves(const std::vector<Estimator>& curves);

// Statistics of a row's errors; values that are not finite count as +∞.
Spread spreadOf(std::vector<double> values);

} // namespace attention
