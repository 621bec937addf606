// The steps of a sweep with what they cost, as far as they are there.
#pragma once

#include "core/views/model/model_sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// A step that is computed.
struct SweepPoint {
  const SweepStep* step = nullptr;
  const LossRow* row = nullptr;
  double lost = 0; // loss, or change
};

std::vector<SweepPoint> pointsOf(const SweepSeries& series, const MeasuredCosts& costs);

// What the steps are compared with: the pattern everywhere, or the model as it is.
std::optional<double> baseOf(const SweepSeries& series, const MeasuredCosts& costs);

// How much worse a step is than the model as it is; with `others` how much better than the pattern
// everywhere.
double growthOf(const SweepPlan& plan, const SweepPoint& point, double base);

inline bool hasSeveral(const SweepPlan& plan) {
  return plan.series.size() > 1;
}
inline std::string placeWord(const SweepPlan& plan) {
  return plan.over == ModelSweep::Layers ? "layer" : "head";
}

} // namespace attention
