// A computation beside its naive twin, timed in turn within one run: `ratio` is the twin's median
// time over ours, in addBounded formed within each repeat, and their median.
#pragma once

#include "bench/bounds.h"
#include "bench/run_benchmarks.h"
#include "core/support/integers.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace attention::bench {

constexpr int kRepeats = 5;

inline double seconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

// CPU time of one call, averaged over as many as take 20 ms, after one that is not counted.
inline double settledSeconds(const std::function<void()>& work) {
  constexpr double kLeast = 0.02;
  const double first = processorSeconds(work);
  const int calls = static_cast<int>(std::clamp(kLeast / std::max(first, 1e-6), 1.0, 1000.0));
  return processorSeconds([&] {
           for (int call = 0; call < calls; ++call)
             work();
         }) /
         calls;
}

// Both functions must outlive the run. Without a twin, only ours is timed.
inline void add(const std::string& name, Index size, const std::function<void()>& ours,
                const std::function<void()>& twin = {}) {
  benchmark::RegisterBenchmark((name + "/" + std::to_string(size)).c_str(),
                               [ours, twin](benchmark::State& state) {
                                 std::vector<double> mine;
                                 std::vector<double> theirs;
                                 for (auto _ : state) {
                                   if (twin)
                                     theirs.push_back(seconds(twin));
                                   mine.push_back(seconds(ours));
                                   state.SetIterationTime(mine.back());
                                 }
                                 if (!twin)
                                   return;
                                 state.counters["twin_ms"] = 1e3 * median(theirs);
                                 state.counters["ratio"] = median(theirs) / median(mine);
                               })
      ->UseManualTime()
      ->Iterations(kRepeats)
      ->Unit(benchmark::kMillisecond);
}

// The same on one thread, in CPU time, with the share of `least`'s bound that ours reaches: the
// bound's time over ours, formed within each repeat and their median. The label says what binds.
inline void addBounded(const std::string& name, Index size, const LeastWork& least,
                       const std::function<void()>& ours, const std::function<void()>& twin = {}) {
  const auto run = [least, ours, twin](benchmark::State& state) {
    std::vector<double> mine, ratios, shares, bounds, flops, bytes;
    bool moving = false;
    for (auto _ : state) {
      const double theirs = twin ? processorSeconds(twin) : 0;
      const MachineRates rates = measuredRates();
      mine.push_back(settledSeconds(ours));
      state.SetIterationTime(mine.back());
      ratios.push_back(theirs / mine.back());
      bounds.push_back(leastSeconds(least, rates));
      moving = secondsOfBytes(least, rates) > secondsOfArithmetic(least, rates);
      shares.push_back(bounds.back() / mine.back());
      flops.push_back(rates.flops);
      bytes.push_back(rates.bytes);
    }
    state.counters["share_of_bound"] = median(shares);
    state.counters["bound_ms"] = 1e3 * median(bounds);
    state.counters["peak_GFLOPs"] = median(flops) / 1e9;
    state.counters["copy_GBs"] = median(bytes) / 1e9;
    if (twin)
      state.counters["ratio"] = median(ratios);
    state.SetLabel(moving ? "bound by bandwidth" : "bound by arithmetic");
  };
  benchmark::RegisterBenchmark((name + "/" + std::to_string(size)).c_str(), run)
      ->UseManualTime()
      ->Iterations(kRepeats)
      ->Unit(benchmark::kMillisecond);
}

} // namespace attention::bench
