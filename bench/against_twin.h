// A computation beside its naive twin, timed in turn within one run: `ratio` is the twin's median
// time over ours.
#pragma once

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

// Both functions must outlive the run. Without a twin, ours alone.
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

} // namespace attention::bench
