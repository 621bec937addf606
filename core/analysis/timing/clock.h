// What time is read from: a function of seconds since some beginning, so that tests bring a clock
// of their own. Everything that measures a computation does it with these two.
#pragma once

#include <functional>
#include <utility>

namespace attention {

// Seconds since some beginning; never falls.
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

// What call() gives; its seconds are added to `seconds`.
template <class Call>
auto timed(const Clock& clock, double& seconds, Call&& call) {
  const double begin = clock();
  auto result = std::forward<Call>(call)();
  seconds += clock() - begin;
  return result;
}

} // namespace attention
