// What measured times say: for each mechanism and size the median and quartiles, the rate, and the
// share of the machine's peak; how time grows with n compared to the cost model's prediction (S14);
// where one mechanism overtakes another; and whether the machine was too noisy to believe it.
//
//   gflops      useful operations / median: the products that the result needs, 2P (d + d_v) over
//               P attended pairs, 4nvd + 4nm d_v with random features, 4nk (d + d_v) of Linformer
//   peak share  gflops / rate of the register loop (fma_peak.h), medians of one run
//   predicted   the model's FLOPs, those of choosing keys included, times the seconds a FLOP that
//               the largest measured size took
//   exponent    slope of ln median against ln n (power_law.h); the model's over the same sizes.
//               Smaller sizes than `fitFrom`, where the fixed cost of a call rules, have no part
#pragma once

#include "core/analysis/timing/crossover.h"
#include "core/analysis/timing/power_law.h"
#include "core/analysis/timing/sample_summary.h"
#include "core/support/integers.h"

#include <optional>
#include <string_view>
#include <vector>

namespace attention {

// The model's work of one mechanism at one size, over all heads.
struct TimedWork {
  std::optional<Index> pairs; // attended; nothing for approximations
  double flops = 0;           // S14, with those of choosing keys
  double usefulFlops = 0;
  double bytes = 0; // held
};

// A row of the table; seconds are those of one run over all heads.
struct TimingRow {
  std::size_t method = 0;
  Index n = 1;
  SampleSummary seconds;
  bool chooses = false; // choosing keys is a part of `seconds`
  SampleSummary choosing;
  SampleSummary attending;
  TimedWork work;
  double gflops = 0;
  double peakShare = 0;
  double predicted = 0; // seconds
};

struct TimingExponent {
  std::size_t method = 0;
  PowerLaw measured;
  std::optional<PowerLaw> predicted; // of the FLOPs
};

// Below n, `faster` is the faster one; beyond it, the other.
struct TimingCrossover {
  std::size_t below = 0; // the mechanism that is faster below n
  std::size_t above = 0; // and the one beyond
  Crossover at;
};

struct TimingNoise {
  double peakSpread = 0;            // (q3 − q1) / median of the peak's samples
  double worstSpread = 0;           // the largest one of the rows
  std::optional<std::size_t> worst; // that row
  bool noisy = false;
};

// Spreads beyond which the machine counts as noisy; fewer than kNoiseSamples samples say nothing.
constexpr double kNoisyPeak = 0.1;
constexpr double kNoisyRow = 0.2;
constexpr Index kNoiseSamples = 4;

// A size that was not measured, and why.
struct TimingOmission {
  enum class Why { TooLong, OverBudget };
  std::size_t method = 0;
  Index n = 1;
  Why why = Why::TooLong;
  double seconds = 0; // that one run took or was predicted to take
};

struct Timings {
  std::vector<TimingRow> rows; // by mechanism, with n ascending
  std::vector<TimingExponent> exponents;
  std::vector<TimingCrossover> crossovers;
  SampleSummary peak; // seconds of the register loop
  double peakGflops = 0;
  std::string_view vectors; // of the loop: "AVX2"
  Index fitFrom = 1;
  TimingNoise noise;
  std::vector<TimingOmission> omitted;
  Index discarded = 0; // samples that something else overlapped
};

constexpr Index kFitFrom = 256;

// Fills in what follows from the rows' seconds and work, the peak and fitFrom: rates, exponents,
// crossovers, noise. O(rows²).
void analyse(Timings& timings);

} // namespace attention
