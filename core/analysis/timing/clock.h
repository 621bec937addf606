// The source of time: a function that returns seconds since some start, so that tests can bring
// their own clock. Everything that measures a computation uses these two.
#pragma once

#include <functional>
#include <utility>

namespace attention {

// Seconds since some start; never decreases.
using Clock = std::function<double()>;

// std::chrono::steady_clock.
Clock steadyClock();

// The seconds that call() takes.
template <class Call>
double secondsOf(const Clock& clock, Call&& call) {
  const double begin = clock();
  std::forward<Call>(call)();
  return clock() - begin;
}

// Returns what call() returns; adds its seconds to `seconds`.
template <class Call>
auto timed(const Clock& clock, double& seconds, Call&& call) {
  const double begin = clock();
  auto result = std::forward<Call>(call)();
  seconds += clock() - begin;
  return result;
}

} // namespace attention
