// What a computation cannot be faster than on the machine at hand: the time of its multiplications
// and additions at the peak of fused multiply-adds on registers and of its exponentials, which take
// the same units, at the rate of the library's own on a row in the cache; or that of moving its
// bytes at the bandwidth of a copy beyond the caches, whichever is longer. The rates are measured
// beside the computation, on one thread, by the processor's time.
#pragma once

#include "core/analysis/timing/fma_peak.h"
#include "core/attention/vector_rows.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

namespace attention::bench {

inline double processorSeconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// The least that a computation does: operations, a fused multiply-add counting 2, and bytes that
// come from beyond the caches or go there.
struct LeastWork {
  double floatFlops = 0;
  double doubleFlops = 0; // half as many fit in a vector
  double bytes = 0;
  double floatExps = 0;
  double doubleExps = 0;
};

// A second.
struct MachineRates {
  double flops = 0; // of floats
  double bytes = 0; // read and written
  double floatExps = 0;
  double doubleExps = 0;
};

template <class T>
double exponentialsPerSecond() {
  constexpr std::size_t kRow = 1024;
  constexpr int kRounds = 1000; // a millisecond or two
  std::vector<T> row(kRow, T{-1});
  const double seconds = processorSeconds([&] {
    for (int r = 0; r < kRounds; ++r)
      exponentiate<T>(row, {0, T{1}, 0, 1});
  });
  return static_cast<double>(kRow) * kRounds / seconds;
}

inline MachineRates measuredRates() {
  constexpr Index kRounds = 400'000;         // some milliseconds
  constexpr std::size_t kBytes = 64U << 20U; // more than the caches of one core hold
  static std::vector<char> from(kBytes, 1);
  static std::vector<char> to(kBytes);
  const double peak = processorSeconds([] { runPeakLoop(kRounds, 1); });
  const double copy = processorSeconds([] { std::memcpy(to.data(), from.data(), kBytes); });
  return {peakFlops(kRounds, 1) / peak, 2 * static_cast<double>(kBytes) / copy,
          exponentialsPerSecond<float>(), exponentialsPerSecond<double>()};
}

inline double secondsOfArithmetic(const LeastWork& work, const MachineRates& rates) {
  return (work.floatFlops + 2 * work.doubleFlops) / rates.flops + work.floatExps / rates.floatExps +
         work.doubleExps / rates.doubleExps;
}
inline double secondsOfBytes(const LeastWork& work, const MachineRates& rates) {
  return work.bytes / rates.bytes;
}
inline double leastSeconds(const LeastWork& work, const MachineRates& rates) {
  return std::max(secondsOfArithmetic(work, rates), secondsOfBytes(work, rates));
}

} // namespace attention::bench
