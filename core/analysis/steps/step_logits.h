// The keys of one query with their logits, softmax by softmax: the raw material of steps.
#pragma once

#include "core/analysis/steps/softmax_steps.h"

#include <vector>

namespace attention {

struct StepLogit {
  Index key = 0;
  double value = 0;
};

// The logits of each softmax of the pattern in the order of keys; a part without a key has none.
struct StepLogits {
  std::vector<double> dot;    // n_k
  std::vector<double> scaled; // n_k
  std::vector<std::vector<StepLogit>> parts;
  Combine combine = Combine::Union;
};

// Throws as softmaxSteps.
StepLogits stepLogits(const StepsInput& input);

// All parts as one softmax, in the order of keys; not for softmaxes that are averaged.
std::vector<StepLogit> joined(const StepLogits& logits);

} // namespace attention
