#include "core/views/model/sweep_points.h"

#include "core/views/model/model_figure.h"

#include <algorithm>

namespace attention {

std::vector<SweepPoint> pointsOf(const SweepSeries& series, const MeasuredCosts& costs) {
  std::vector<SweepPoint> points;
  for (const SweepStep& step : series.steps)
    if (const MeasuredRow* row = rowNamed(costs, step.variant.name))
      if (const auto lost = lostBy(costs, row->row))
        points.push_back({&step, &row->row, *lost});
  return points;
}

std::optional<double> baseOf(const SweepSeries& series, const MeasuredCosts& costs) {
  if (!series.everywhere)
    return lostBy(costs, costs.rows.front().row);
  const MeasuredRow* row = rowNamed(costs, series.everywhere->name);
  return row ? lostBy(costs, row->row) : std::nullopt;
}

double growthOf(const SweepPlan& plan, const SweepPoint& point, double base) {
  return plan.others ? base - point.lost : point.lost - base;
}

bool hasPoints(const SweepPlan& plan, const MeasuredCosts& costs) {
  return std::any_of(plan.series.begin(), plan.series.end(), [&](const SweepSeries& series) {
    return baseOf(series, costs) && !pointsOf(series, costs).empty();
  });
}

std::string lackingSentence(const SweepPlan& plan, const MeasuredCosts& costs) {
  if (hasPoints(plan, costs))
    return costs.lacking.empty()
               ? std::string()
               : shippedSentence(costs) +
                     " The model itself, which could compute them, is not on this machine.";
  if (costs.partly)
    return "This sweep is not among the results that come with the program; the model computes it.";
  return costs.lacking.empty()
             ? std::string()
             : "This sweep is not among the results that come with the program, and the model "
               "itself, which could compute it, is not on this machine.";
}

} // namespace attention
