// The sweeps of a model as a figure and a table.
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/sweep_points.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

std::string measured(const MeasuredCosts& costs) {
  return costs.encoder ? "change in the final states" : "loss, nats per token";
}

// Shapes tell curves apart that are alike in print.
Marker markerOf(std::size_t series) {
  constexpr std::array kShapes{MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle,
                               MarkerShape::Diamond};
  return {kShapes[series % kShapes.size()], series >= kShapes.size()};
}

// A point for each step; where one is not there yet, a gap that no line crosses.
template <class Height>
void addPoints(Curve& curve, const SweepSeries& series, const MeasuredCosts& costs,
               std::vector<double>& seen, const Height& height) {
  const std::vector<SweepPoint> there = pointsOf(series, costs);
  auto next = there.begin();
  for (const SweepStep& step : series.steps) {
    const bool has = next != there.end() && next->step == &step;
    const double y = has ? height(*next++) : NAN;
    curve.points.push_back({step.at, y});
    if (std::isfinite(y))
      seen.push_back(y);
  }
}

// One series as bars; several as curves, which are compared more easily.
Plot placesPlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  CurvesMark mark;
  const auto places = static_cast<double>(plan.series.front().steps.size());
  mark.x = {plan.axis, Scale::Linear, -0.5, places - 0.5, true};
  std::vector<double> seen{0};
  for (const SweepSeries& series : plan.series) {
    Curve& curve = mark.curves.emplace_back();
    curve.hue = series.hue;
    if (hasSeveral(plan)) {
      curve.label = series.name;
      curve.marker = markerOf(mark.curves.size() - 1);
    } else
      curve.kind = CurveKind::Bars;
    const auto base = baseOf(series, costs);
    addPoints(curve, series, costs, seen,
              [&](const SweepPoint& point) { return base ? growthOf(plan, point, *base) : NAN; });
  }
  const std::string what = costs.encoder ? "change" : "loss";
  mark.y = axisOver(plan.others ? what + " saved" : "increase in " + what, Scale::Linear, seen);
  mark.aspect = 0.45;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot valuesPlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  CurvesMark mark;
  std::vector<double> values;
  std::vector<double> seen;
  for (const SweepSeries& series : plan.series) {
    Curve& curve = mark.curves.emplace_back();
    curve.label = series.name;
    curve.hue = series.hue;
    if (hasSeveral(plan))
      curve.marker = markerOf(mark.curves.size() - 1);
    for (const SweepStep& step : series.steps)
      values.push_back(step.at);
    addPoints(curve, series, costs, seen, [](const SweepPoint& point) { return point.lost; });
  }
  const bool zero = *std::min_element(values.begin(), values.end()) <= 0;
  mark.x = axisOver(plan.axis, zero ? Scale::Linear : Scale::Log2, values, false);
  if (const auto base = lostBy(costs, costs.rows.front().row)) {
    Curve level;
    level.label = kAsItIs;
    level.kind = CurveKind::Level;
    level.points = {{mark.x.begin, *base}, {mark.x.end, *base}};
    seen.push_back(*base);
    mark.curves.insert(mark.curves.begin(), std::move(level));
  }
  mark.y = axisOver(measured(costs), Scale::Linear, seen);
  mark.aspect = 0.45;
  return {std::move(mark), std::nullopt, std::nullopt};
}

// Of variants: what they do not name, and those that are left out.
std::string severalSentences(const SweepPlan& plan) {
  std::string text;
  if (plan.variants && plan.over != ModelSweep::Parameter)
    text = " Layers and heads that no rule names stay unchanged.";
  if (!plan.left.empty())
    text += " Left out, since they have no such number or allow none of the values: " +
            plan.left.front() +
            (plan.left.size() == 1 ? std::string()
                                   : " and " + counted(plan.left.size() - 1, "other variant")) +
            ".";
  return text;
}

std::string captionOfSweep(const SweepPlan& plan, const MeasuredCosts& costs) {
  const std::string place = placeWord(plan);
  const std::string what = costs.encoder ? "change" : "loss";
  const std::string pattern = hasSeveral(plan) ? "Each variant" : plan.series.front().name;
  const std::string drawn = hasSeveral(plan) ? "each point" : "each bar";
  if (plan.over == ModelSweep::Parameter)
    return hasSeveral(plan) ? " A curve for each variant, with the number in all its patterns."
           : plan.variants  ? " The number in all patterns of the variant that have it."
                            : " All layers and heads have the pattern.";
  if (plan.others)
    return " " + pattern + " everywhere but in one " + place + ": " + drawn + " shows the " + what +
           " that this saves.";
  return " " + pattern + " in one " + place + " only: " + drawn + " shows how much the " + what +
         " grows.";
}

} // namespace

Plot sweepPlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  return plan.over == ModelSweep::Parameter ? valuesPlot(plan, costs) : placesPlot(plan, costs);
}

CsvTable sweepTable(const SweepPlan& plan, const MeasuredCosts& costs) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? csvNumber(*value) : std::string();
  };
  CsvTable table{{"masks", plan.over == ModelSweep::Parameter ? "value" : placeWord(plan), "pairs",
                  "loss", "kl", "top1", "change"},
                 {}};
  for (const SweepSeries& series : plan.series)
    for (const SweepPoint& point : pointsOf(series, costs)) {
      const LossRow& row = *point.row;
      table.rows.push_back({series.name, csvNumber(point.step->at), csvNumber(row.pairs),
                            cell(row.loss), cell(row.kl), cell(row.top1), cell(row.change)});
    }
  return table;
}

std::string titleOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  const std::string swept =
      (hasSeveral(plan) ? counted(plan.series.size(), "variant") : plan.series.front().name) + ": ";
  if (plan.over == ModelSweep::Parameter)
    return swept + (costs.encoder ? "the change in the final states of " : "the loss of ") +
           costs.model + " by " + plan.axis;
  const std::string which = swept + "which " + placeWord(plan) + " of " + costs.model;
  if (plan.others)
    return which + " should stay as it is";
  return which + " suffers from " + (hasSeveral(plan) ? "each" : "it");
}

std::string captionOf(const SweepPlan& plan, const MeasuredCosts& costs, bool withLacking) {
  std::string text = textSentence(costs) + captionOfSweep(plan, costs) + severalSentences(plan);
  const std::string lacking = lackingSentence(plan, costs);
  if (!lacking.empty() && !withLacking)
    return text;
  const std::string shipped = lacking.empty() ? shippedSentence(costs) : lacking;
  return shipped.empty() ? text : text + " " + shipped;
}

Figure sweepFigure(const SweepPlan& plan, const MeasuredCosts& costs, FigureTheme theme) {
  Figure figure;
  figure.title = titleOf(plan, costs);
  figure.caption = captionOf(plan, costs);
  figure.theme = theme;
  figure.panels.push_back({"", {sweepPlot(plan, costs)}, {}});
  return figure;
}

} // namespace attention
