// The sweeps of a model as a figure, a table and sentences.
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/model_figure.h"
#include "core/views/model/model_sweep.h"

#include <algorithm>
#include <array>
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

std::vector<SweepPoint> pointsOf(const SweepSeries& series, const MeasuredCosts& costs) {
  std::vector<SweepPoint> points;
  for (const SweepStep& step : series.steps)
    if (const MeasuredRow* row = rowNamed(costs, step.variant.name))
      if (const auto lost = lostBy(costs, row->row))
        points.push_back({&step, &row->row, *lost});
  return points;
}

// What the steps are compared with: the pattern everywhere, or the model as it is.
std::optional<double> baseOf(const SweepSeries& series, const MeasuredCosts& costs) {
  if (!series.everywhere)
    return lostBy(costs, costs.rows.front().row);
  const MeasuredRow* row = rowNamed(costs, series.everywhere->name);
  return row ? lostBy(costs, row->row) : std::nullopt;
}

// How much worse a step is than the model as it is; with `others` how much better than the pattern
// everywhere.
double growthOf(const SweepPlan& plan, const SweepPoint& point, double base) {
  return plan.others ? base - point.lost : point.lost - base;
}

bool hasSeveral(const SweepPlan& plan) {
  return plan.series.size() > 1;
}

std::string measured(const MeasuredCosts& costs) {
  return costs.encoder ? "change in the final states" : "loss, nats per token";
}

std::string placeWord(const SweepPlan& plan) {
  return plan.over == ModelSweep::Layers ? "layer" : "head";
}

// Shapes tell curves apart that are alike in print.
Marker markerOf(std::size_t series) {
  constexpr std::array kShapes{MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle,
                               MarkerShape::Diamond};
  return {kShapes[series % kShapes.size()], series >= kShapes.size()};
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
    if (const auto base = baseOf(series, costs))
      for (const SweepPoint& point : pointsOf(series, costs)) {
        curve.points.push_back({point.step->at, growthOf(plan, point, *base)});
        seen.push_back(curve.points.back().y);
      }
  }
  const std::string what = costs.encoder ? "change" : "loss";
  mark.y = axisOver(plan.others ? what + " saved" : "growth of the " + what, Scale::Linear, seen);
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
    for (const SweepPoint& point : pointsOf(series, costs)) {
      curve.points.push_back({point.step->at, point.lost});
      seen.push_back(point.lost);
    }
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

// "layer 4 (+ 0.21)".
std::string named(const SweepPlan& plan, const SweepPoint& point, double base) {
  const double by = growthOf(plan, point, base);
  return point.step->name + " (" + (by < 0 ? "− " : "+ ") + fixed(std::abs(by), 3) + ")";
}

// "Local, window 16: " where others are beside it.
std::string before(const SweepPlan& plan, const SweepSeries& series) {
  return hasSeveral(plan) ? series.name + ": " : std::string();
}

// "layer 18 as it is lowers the loss by 0.206, layer 20 by 0.125; keeping layer 2 raises it by
// 0.606", of points with the one that saves most first.
std::string keptText(const SweepPlan& plan, const std::vector<SweepPoint>& points, double base,
                     const std::string& what) {
  constexpr std::size_t kNamed = 3;
  const auto by = [&](const SweepPoint& point) {
    return " by " + fixed(std::abs(growthOf(plan, point, base)), 3);
  };
  const auto lowers = [&](const SweepPoint& point) { return growthOf(plan, point, base) >= 0; };
  const auto verb = [&](const SweepPoint& point) {
    return lowers(point) ? " lowers " : " raises ";
  };
  const SweepPoint& first = points.front();
  std::string text = first.step->name + " as it is" + verb(first) + "the " + what + by(first);
  for (std::size_t k = 1; k + 1 < std::min(points.size(), kNamed + 1); ++k)
    text += ", " + points[k].step->name +
            (lowers(points[k]) == lowers(first) ? "" : verb(points[k]) + std::string("it")) +
            by(points[k]);
  return text + "; keeping " + points.back().step->name + verb(points.back()) + "it" +
         by(points.back());
}

// "The pattern hurts the most in layer 2 (+ 0.3), layer 0 (+ 0.1); the least in layer 1 (+ 0.01).",
// of points with the one that grows most first. What does not grow is not hurt.
std::string hurtText(const SweepPlan& plan, const std::string& name,
                     const std::vector<SweepPoint>& points, double base, const std::string& what) {
  constexpr std::size_t kNamed = 3;
  const std::string text = name.empty() ? "The pattern hurts" : name + "it hurts";
  const SweepPoint& last = points.back();
  std::string most;
  for (std::size_t k = 0; k < std::min(points.size() - 1, kNamed); ++k)
    if (growthOf(plan, points[k], base) > 0)
      most += (most.empty() ? "" : ", ") + named(plan, points[k], base);
  if (!most.empty())
    return text + " the most in " + most + "; the least in " + named(plan, last, base) + ".";
  const std::string nowhere = text + " in no " + placeWord(plan);
  if (growthOf(plan, last, base) == 0)
    return nowhere + ".";
  return nowhere + "; the " + what + " falls the most in " + named(plan, last, base) + ".";
}

void readPlaces(const SweepPlan& plan, const SweepSeries& series, const MeasuredCosts& costs,
                std::vector<std::string>& sentences) {
  std::vector<SweepPoint> points = pointsOf(series, costs);
  const auto base = baseOf(series, costs);
  if (points.size() < 2 || !base)
    return;
  std::stable_sort(points.begin(), points.end(), [&](const SweepPoint& a, const SweepPoint& b) {
    return growthOf(plan, a, *base) > growthOf(plan, b, *base);
  });
  const std::string what = costs.encoder ? "change" : "loss";
  const std::string name = before(plan, series);
  if (!plan.others) {
    sentences.push_back(hurtText(plan, name, points, *base, what));
    return;
  }
  sentences.push_back(name + (name.empty() ? "Keeping " : "keeping ") +
                      keptText(plan, points, *base, what) + ".");
  const std::string everywhere = plan.variants ? "all its rules" : "the pattern everywhere";
  sentences.push_back(name + (name.empty() ? "With " : "with ") + everywhere + " the " + what +
                      " is " + fixed(*base, 3) + ".");
}

void readValues(const SweepPlan& plan, const SweepSeries& series, const MeasuredCosts& costs,
                std::vector<std::string>& sentences) {
  const std::vector<SweepPoint> points = pointsOf(series, costs);
  const auto base = lostBy(costs, costs.rows.front().row);
  if (points.empty() || !base || costs.encoder)
    return;
  const auto close = [&](const SweepPoint& point) { return point.lost - *base <= kHardlyWorse; };
  const std::string name = before(plan, series);
  sentences.push_back(name + points.front().step->name +
                      (name.empty() ? ": loss " : " gives loss ") + fixed(points.front().lost, 3) +
                      "; as it is: " + fixed(*base, 3) + ".");
  // The first value from which on all are close.
  const auto last = std::find_if_not(points.rbegin(), points.rend(), close);
  if (last == points.rbegin())
    return;
  const SweepStep& from = *std::prev(last)->step;
  const std::string within = readableNumber(kHardlyWorse) + " nats of the model as it is.";
  if (from.at >= static_cast<double>(costs.tokens))
    sentences.push_back(name + (name.empty() ? "Only " : "only ") + from.name +
                        ", the whole text, comes within " + within);
  else
    sentences.push_back(name + (name.empty() ? "From " : "from ") + from.name +
                        " on, the loss is within " + within);
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
  const std::string place = placeWord(plan);
  if (plan.over == ModelSweep::Parameter)
    return hasSeveral(plan)
               ? counted(plan.series.size(), "variant") + ": what " + plan.axis + " costs " +
                     costs.model
               : plan.series.front().name + ": what every " + plan.axis + " costs " + costs.model;
  if (plan.others)
    return "Which " + place + " of " + costs.model + " should stay as it is";
  return "Which " + place + " of " + costs.model + " suffers from " +
         (hasSeveral(plan) ? "each of " + counted(plan.series.size(), "variant") : "the pattern");
}

std::string lackingSentence(const SweepPlan& plan, const MeasuredCosts& costs) {
  const bool drawn =
      std::any_of(plan.series.begin(), plan.series.end(), [&](const SweepSeries& series) {
        return baseOf(series, costs) && !pointsOf(series, costs).empty();
      });
  if (drawn)
    return {};
  if (costs.partly)
    return "This sweep is not among the results that come with the program; the model computes it.";
  return costs.lacking.empty()
             ? std::string()
             : "This sweep is not among the results that come with the program, and the model "
               "itself, which could compute it, is not on this machine.";
}

std::string captionOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::string text = textSentence(costs) + captionOfSweep(plan, costs) + severalSentences(plan);
  const std::string lacking = lackingSentence(plan, costs);
  const std::string shipped = lacking.empty() ? shippedSentence(costs) : lacking;
  return shipped.empty() ? text : text + " " + shipped;
}

std::vector<std::string> readingOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::vector<std::string> sentences;
  for (const SweepSeries& series : plan.series)
    if (plan.over == ModelSweep::Parameter)
      readValues(plan, series, costs, sentences);
    else
      readPlaces(plan, series, costs, sentences);
  return sentences;
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
