// One mechanism made ready to be timed at one size: what does not depend on the input is made here;
// the rest is part of each run (measure.h).
#pragma once

#include "core/analysis/timing/measure.h"

#include <memory>

namespace attention {

// What all mechanisms of one size share.
struct SizeInput {
  std::vector<TimedHead> heads;
  std::vector<PatternData> data; // of each head, where a mechanism chooses keys by it

  Index n() const { return heads.front().q.rows(); }
  Index d() const { return heads.front().q.cols(); }
  Index dv() const { return heads.front().v.cols(); }
};

struct MethodTask {
  TimedTask task;
  std::function<TimedWork(const Run&)> work; // known once it has run; counts cells without a form
};

// The task keeps the input. Runs use `threads`. Throws what prepare and drawing throw.
MethodTask taskOf(const ScoredMethod& method, std::shared_ptr<const SizeInput> input, int threads,
                  const Run& run);

} // namespace attention
