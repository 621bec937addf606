// The sweeps of a model as a figure, a table and sentences.
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attention {
namespace {

// A loss within this of the model as it is counts as none: nats.
constexpr double kHardlyWorse = 0.05;

// A step that is computed.
struct SweepPoint {
  const SweepStep* step = nullptr;
  const LossRow* row = nullptr;
  double lost = 0; // loss, or change
};

std::vector<SweepPoint> pointsOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::vector<SweepPoint> points;
  for (const SweepStep& step : plan.steps)
    if (const MeasuredRow* row = rowNamed(costs, step.variant.name))
      if (const auto lost = lostBy(costs, row->row))
        points.push_back({&step, &row->row, *lost});
  return points;
}

// What the steps are compared with: the pattern everywhere, or the model as it is.
std::optional<double> baseOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  if (!plan.everywhere)
    return lostBy(costs, costs.rows.front().row);
  const MeasuredRow* row = rowNamed(costs, plan.everywhere->name);
  return row ? lostBy(costs, row->row) : std::nullopt;
}

// How much worse a step is than the model as it is; with `others` how much better than the pattern
// everywhere.
double barOf(const SweepPlan& plan, const SweepPoint& point, double base) {
  return plan.others ? base - point.lost : point.lost - base;
}

std::string measured(const MeasuredCosts& costs) {
  return costs.encoder ? "change in the final states" : "loss, nats per token";
}

std::string placeWord(const SweepPlan& plan) {
  return plan.over == ModelSweep::Layers ? "layer" : "head";
}

Plot barsPlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  CurvesMark mark;
  mark.x = {plan.axis, Scale::Linear, -0.5, static_cast<double>(plan.steps.size()) - 0.5, true};
  Curve bars;
  bars.kind = CurveKind::Bars;
  std::vector<double> seen{0};
  if (const auto base = baseOf(plan, costs))
    for (const SweepPoint& point : pointsOf(plan, costs)) {
      bars.points.push_back({point.step->at, barOf(plan, point, *base)});
      seen.push_back(bars.points.back().y);
    }
  const std::string what = costs.encoder ? "change" : "loss";
  mark.y = axisOver(plan.others ? what + " saved" : "growth of the " + what, Scale::Linear, seen);
  mark.curves.push_back(std::move(bars));
  mark.aspect = 0.45;
  return {std::move(mark), std::nullopt, std::nullopt};
}

Plot curvePlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  CurvesMark mark;
  Curve curve;
  curve.label = plan.pattern;
  curve.hue = 1;
  std::vector<double> values;
  std::vector<double> seen;
  for (const SweepStep& step : plan.steps)
    values.push_back(step.at);
  for (const SweepPoint& point : pointsOf(plan, costs)) {
    curve.points.push_back({point.step->at, point.lost});
    seen.push_back(point.lost);
  }
  const bool zero = values.front() <= 0;
  mark.x = axisOver(plan.axis, zero ? Scale::Linear : Scale::Log2, values, false);
  if (const auto base = lostBy(costs, costs.rows.front().row)) {
    Curve level;
    level.label = kAsItIs;
    level.kind = CurveKind::Level;
    level.points = {{mark.x.begin, *base}, {mark.x.end, *base}};
    seen.push_back(*base);
    mark.curves.push_back(std::move(level));
  }
  mark.y = axisOver(measured(costs), Scale::Linear, seen);
  mark.curves.push_back(std::move(curve));
  mark.aspect = 0.45;
  return {std::move(mark), std::nullopt, std::nullopt};
}

// "layer 4 (+ 0.21)".
std::string named(const SweepPlan& plan, const SweepPoint& point, double base) {
  const double by = barOf(plan, point, base);
  return point.step->variant.name + " (" + (by < 0 ? "− " : "+ ") + fixed(std::abs(by), 3) + ")";
}

std::vector<std::string> readingOfBars(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::vector<SweepPoint> points = pointsOf(plan, costs);
  const auto base = baseOf(plan, costs);
  if (points.size() < 2 || !base)
    return {};
  std::stable_sort(points.begin(), points.end(), [&](const SweepPoint& a, const SweepPoint& b) {
    return barOf(plan, a, *base) > barOf(plan, b, *base);
  });
  std::string most = named(plan, points[0], *base) + ", " + named(plan, points[1], *base);
  if (points.size() > 2)
    most += ", " + named(plan, points[2], *base);
  const std::string least = named(plan, points.back(), *base);
  const std::string what = costs.encoder ? "change" : "loss";
  if (plan.others)
    return {"Leaving one " + placeWord(plan) + " as it is saves the most " + what + " in " + most +
                "; the least in " + least + ".",
            "With the pattern everywhere the " + what + " is " + fixed(*base, 3) + "."};
  return {"The pattern hurts the most in " + most + "; the least in " + least + "."};
}

std::vector<std::string> readingOfCurve(const SweepPlan& plan, const MeasuredCosts& costs) {
  const std::vector<SweepPoint> points = pointsOf(plan, costs);
  const auto base = lostBy(costs, costs.rows.front().row);
  if (points.empty() || !base || costs.encoder)
    return {};
  const auto close = [&](const SweepPoint& point) { return point.lost - *base <= kHardlyWorse; };
  std::vector<std::string> sentences{points.front().step->variant.name + ": loss " +
                                     fixed(points.front().lost, 3) +
                                     "; as it is: " + fixed(*base, 3) + "."};
  // The first value from which on all are close.
  const auto last = std::find_if_not(points.rbegin(), points.rend(), close);
  if (last != points.rbegin())
    sentences.push_back("From " + std::prev(last)->step->variant.name + " on, the loss is within " +
                        readableNumber(kHardlyWorse) + " nats of the model as it is.");
  return sentences;
}

} // namespace

Plot sweepPlot(const SweepPlan& plan, const MeasuredCosts& costs) {
  return plan.over == ModelSweep::Parameter ? curvePlot(plan, costs) : barsPlot(plan, costs);
}

CsvTable sweepTable(const SweepPlan& plan, const MeasuredCosts& costs) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? csvNumber(*value) : std::string();
  };
  CsvTable table{{plan.over == ModelSweep::Parameter ? "value" : placeWord(plan), "pairs", "loss",
                  "kl", "top1", "change"},
                 {}};
  for (const SweepPoint& point : pointsOf(plan, costs)) {
    const LossRow& row = *point.row;
    table.rows.push_back({csvNumber(point.step->at), csvNumber(row.pairs), cell(row.loss),
                          cell(row.kl), cell(row.top1), cell(row.change)});
  }
  return table;
}

std::string titleOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  if (plan.over == ModelSweep::Parameter)
    return plan.pattern + ": what every " + plan.axis + " costs " + costs.model;
  const std::string place = placeWord(plan);
  if (plan.others)
    return "Which " + place + " of " + costs.model + " should stay as it is";
  return "Which " + place + " of " + costs.model + " suffers from the pattern";
}

std::string captionOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::string text = textSentence(costs);
  const std::string place = placeWord(plan);
  const std::string what = costs.encoder ? "change" : "loss";
  if (plan.over == ModelSweep::Parameter)
    text += " All layers and heads have the pattern.";
  else if (plan.others)
    text += " " + plan.pattern + " everywhere but in one " + place + ": a bar is the " + what +
            " that this saves.";
  else
    text += " " + plan.pattern + " in one " + place + " only: a bar is by how much the " + what +
            " grows.";
  const std::string shipped = shippedSentence(costs);
  return shipped.empty() ? text : text + " " + shipped;
}

std::vector<std::string> readingOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  return plan.over == ModelSweep::Parameter ? readingOfCurve(plan, costs)
                                            : readingOfBars(plan, costs);
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
