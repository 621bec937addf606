// The sweeps of a model in sentences.
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/model/sweep_points.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

// A loss within this of the model as it is counts as none: nats.
constexpr double kHardlyWorse = 0.05;

// "layer 4 (+0.210)".
std::string named(const SweepPlan& plan, const SweepPoint& point, double base) {
  const double by = growthOf(plan, point, base);
  return point.step->name + " (" + (by < 0 ? "−" : "+") + fixed(std::abs(by), 3) + ")";
}

// "Local, window 16: " where others are beside it.
std::string before(const SweepPlan& plan, const SweepSeries& series) {
  return hasSeveral(plan) ? series.name + ": " : std::string();
}

// "so far, after 12 of 30 layers, " while others are being computed.
std::string soFar(const SweepPlan& plan, const SweepSeries& series, std::size_t points) {
  return points == series.steps.size() ? std::string()
                                       : "so far, after " + std::to_string(points) + " of " +
                                             counted(series.steps.size(), placeWord(plan)) + ", ";
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

// "it hurts the most in layer 2 (+ 0.3), layer 0 (+ 0.1); the least in layer 1 (+ 0.01)", of points
// with the one that grows most first. What does not grow is not hurt.
std::string hurtText(const SweepPlan& plan, const std::vector<SweepPoint>& points, double base,
                     const std::string& what) {
  constexpr std::size_t kNamed = 3;
  const std::string text = hasSeveral(plan) ? "it hurts" : "the pattern hurts";
  const SweepPoint& last = points.back();
  std::string most;
  for (std::size_t k = 0; k < std::min(points.size() - 1, kNamed); ++k)
    if (growthOf(plan, points[k], base) > 0)
      most += (most.empty() ? "" : ", ") + named(plan, points[k], base);
  if (!most.empty())
    return text + " the most in " + most + "; the least in " + named(plan, last, base);
  const std::string nowhere = text + " in no " + placeWord(plan);
  if (growthOf(plan, last, base) == 0)
    return nowhere;
  return nowhere + "; the " + what + " falls the most in " + named(plan, last, base);
}

// Of the steps that are there, which while others are being computed is said. Nothing of shipped
// results that lack some: what is there may be what the pattern leaves alone.
void readPlaces(const SweepPlan& plan, const SweepSeries& series, const MeasuredCosts& costs,
                std::vector<std::string>& sentences) {
  std::vector<SweepPoint> points = pointsOf(series, costs);
  const auto base = baseOf(series, costs);
  const bool whole = points.size() == series.steps.size();
  if (points.size() < 2 || !base || (!whole && !costs.lacking.empty()))
    return;
  std::stable_sort(points.begin(), points.end(), [&](const SweepPoint& a, const SweepPoint& b) {
    return growthOf(plan, a, *base) > growthOf(plan, b, *base);
  });
  const std::string what = costs.encoder ? "change" : "loss";
  const auto say = [&](const std::string& sentence) {
    const std::string name = before(plan, series);
    sentences.push_back((name.empty() ? capitalised(sentence) : name + sentence) + ".");
  };
  const std::string begin = soFar(plan, series, points.size());
  if (!plan.others)
    return say(begin + hurtText(plan, points, *base, what));
  say(begin + "keeping " + keptText(plan, points, *base, what));
  say("with " +
      (plan.variants ? std::string("all its rules") : "the pattern in every " + placeWord(plan)) +
      " the " + what + " is " + fixed(*base, 3));
}

// What holds for all larger values is said where all of them are there.
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
  if (last == points.rbegin() || points.size() < series.steps.size())
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

} // namespace

std::vector<std::string> readingOf(const SweepPlan& plan, const MeasuredCosts& costs) {
  std::vector<std::string> sentences;
  for (const SweepSeries& series : plan.series)
    if (plan.over == ModelSweep::Parameter)
      readValues(plan, series, costs, sentences);
    else
      readPlaces(plan, series, costs, sentences);
  return sentences;
}

} // namespace attention
