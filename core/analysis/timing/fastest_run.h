// Times something short that runs only a few times, beside other work: the first run finds caches
// cold and threads asleep, and any run may have to wait.
#pragma once

#include "core/analysis/timing/clock.h"
#include "core/support/run.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace attention {

constexpr int kMostTimedRuns = 5;
constexpr double kTimedLongEnough = 50e-3; // seconds: anything longer runs once

// Returns what call(run) returns; adds the seconds of its fastest run to `seconds`. Runs again,
// quietly, up to the limits on runs and time. Holds one result at a time.
template <class Call>
auto timedFastest(const Clock& clock, double& seconds, Call&& call, const Run& run) {
  std::optional<decltype(call(run))> result;
  double spent = 0;
  double fastest = 0;
  for (int k = 0; k == 0 || (k < kMostTimedRuns && spent < kTimedLongEnough); ++k) {
    result.reset(); // before the next one needs memory
    const double took = secondsOf(clock, [&] { result.emplace(call(k == 0 ? run : run.quiet())); });
    fastest = k == 0 ? took : std::min(fastest, took);
    spent += took;
  }
  seconds += fastest;
  return std::move(*result);
}

} // namespace attention
