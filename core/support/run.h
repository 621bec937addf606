// What a long computation gets and reports: whether to stop, how many threads to use, and how far
// it has come.
#pragma once

#include <functional>
#include <stop_token>

namespace attention {

// Thrown where a computation notices that it should stop; not an error, so not an Error.
struct Stopped {};

// Passed by value down into long loops, which call `check` once per block of rows.
struct Run {
  std::stop_token stop;
  std::function<void(double)> progress; // share done in [0, 1]; may be called from any thread
  int threads = 0;                      // where nothing else says how many; 0: the machine's

  // For a part too small to be reported.
  Run quiet() const { return {stop, {}, threads}; }

  // Throws Stopped if a stop was requested.
  void check() const {
    if (stop.stop_requested())
      throw Stopped{};
  }
  // Reports the share done, then checks.
  void report(double share) const {
    if (progress)
      progress(share);
    check();
  }
};

} // namespace attention
