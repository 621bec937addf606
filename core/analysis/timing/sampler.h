// Samples of several things' times, taken in turns: after one warm-up each, every round takes one
// sample of each in the same order, so that a machine that slows down or is busy for a while
// affects all alike. A sample repeats a short run until it lasts long enough for the clock.
#pragma once

#include "core/analysis/timing/clock.h"
#include "core/support/integers.h"
#include "core/support/run.h"

#include <limits>
#include <optional>
#include <vector>

namespace attention {

// What is timed, ready to run as often as needed. Where choosing keys is part of it, that part
// comes first and its seconds are kept apart.
struct TimedTask {
  std::function<void(const Run&)> choose = {}; // empty: there is nothing to choose
  std::function<void(const Run&)> attend;
  double flops = 0; // FLOPs of the model, to predict larger sizes; 0 where unknown
};

// One series (a mechanism) at one size.
struct TimedSlot {
  std::size_t series = 0;
  Index n = 1;
  std::function<TimedTask(const Run&)> open; // draws and prepares; not timed
  bool always = false;                       // however long a run is
};

// Calls around a sample where something else, such as a window, uses the machine too.
struct SampleGate {
  std::function<void(const Run&)> begin; // returns when a sample may begin; throws Stopped
  std::function<bool()> end;             // whether the sample that has just ended counts
};

struct SamplingOptions {
  Index samples = 15;                                       // of each slot
  double seconds = std::numeric_limits<double>::infinity(); // for everything
  double longest = std::numeric_limits<double>::infinity(); // of one run; longer ones are left out
  double leastSample = 2e-3;                                // seconds; short runs are repeated
  Clock clock = steadyClock();
  SampleGate gate = {};
};

enum class SlotState {
  Waiting,    // not begun
  Measured,   // with the samples that it has
  TooLong,    // one run is, or would be, longer than allowed
  OverBudget, // not enough of the seconds was left for it
};

struct SlotTimes {
  SlotState state = SlotState::Waiting;
  double oneRun = 0;          // seconds of the warm-up (the fastest of several where one seemed
                              // too long), or the prediction where there was none
  std::vector<double> choose; // seconds per run, of each sample
  std::vector<double> attend;
  Index discarded = 0; // samples that did not count

  std::vector<double> total() const;
};

class Sampler {
public:
  // A round goes through `order`, indices of `slots`, each as often as it occurs there; slots of a
  // series must come in it by ascending n.
  Sampler(std::vector<TimedSlot> slots, std::vector<std::size_t> order, SamplingOptions options);

  // Calls `onSample` after each warm-up and each sample that counts. A sample that does not count
  // is repeated at once, a few times. A size is skipped where the smaller ones predict that it
  // takes too long or exceeds the budget: by their FLOPs, else by n². A single slow run skips none.
  // Throws Stopped.
  void run(const std::function<void(std::size_t slot)>& onSample, const Run& run);

  const std::vector<SlotTimes>& times() const { return times_; }

private:
  struct Seconds {
    double choose = 0;
    double attend = 0;
    double sum() const { return choose + attend; }
  };

  void warmUp(std::size_t slot, const Run& run);
  bool sample(std::size_t slot, const Run& run);
  bool attempt(std::size_t slot, Index repeats, const Run& run);
  Seconds measure(const TimedTask& task, const Run& run) const;
  std::optional<std::size_t> smaller(std::size_t slot) const;
  double growth(std::size_t from, std::size_t to) const;
  void confirm(std::size_t slot, double allowed, const Run& run);
  double firstRun(std::size_t slot, const Run& run);
  double left() const { return options_.seconds - (options_.clock() - begin_); }
  void leave(std::size_t slot, SlotState state);

  std::vector<TimedSlot> slots_;
  std::vector<std::size_t> order_;
  SamplingOptions options_;
  std::vector<TimedTask> tasks_;
  std::vector<SlotTimes> times_;
  double begin_ = 0;
};

} // namespace attention
