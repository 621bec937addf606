// A machine whose time passes only when a task says so: a clock for tests, and a record of what ran
// on it.
#pragma once

#include "core/analysis/timing/sampler.h"

#include <functional>
#include <string>
#include <vector>

namespace attention {

class FakeMachine {
public:
  FakeMachine() = default;
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  double now = 0;
  std::vector<std::string> log; // "0@256": series 0 at n = 256 ran

  Clock clock() {
    return [this] { return now; };
  }

  // A slot whose k-th run takes seconds(k).
  TimedSlot slot(std::size_t series, Index n, std::function<double(Index k)> seconds,
                 double flops = 0) {
    return {series, n, [this, series, n, seconds, flops](const Run&) {
              TimedTask task;
              task.attend = [this, series, n, seconds, k = Index{0}](const Run&) mutable {
                log.push_back(std::to_string(series) + '@' + std::to_string(n));
                now += seconds(k++);
              };
              task.flops = flops;
              return task;
            }};
  }
  TimedSlot slot(std::size_t series, Index n, double seconds, double flops = 0) {
    return slot(
        series, n, [seconds](Index) { return seconds; }, flops);
  }

  // Without repeated runs.
  SamplingOptions options(Index samples) {
    SamplingOptions options;
    options.samples = samples;
    options.leastSample = 0;
    options.clock = clock();
    return options;
  }
};

} // namespace attention
