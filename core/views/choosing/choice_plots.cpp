#include "core/views/choosing/choice_figure.h"

#include "core/pattern/pattern_title.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace attention {
namespace {

constexpr Index kMostCuts = 64;        // blocks with borders
constexpr std::size_t kMostAlways = 8; // forced blocks that are marked in a row

Axis tokenAxis(const char* label, const ChosenKeys& of, const ChoiceLook& look) {
  return {label, 0, of.n(), look.labels};
}

Rect wholeOf(const ChosenKeys& of) {
  return {0, of.n(), 0, of.n()};
}

Plot scoresPlot(const ChosenKeys& of, const ChoiceLook& look) {
  ValuesMark mark;
  mark.values = of.cells;
  mark.cells = wholeOf(of);
  mark.ramp = Ramp::Choice;
  mark.query = look.query;
  const Index block = of.choice().keyBlock;
  if (block > 1 && ceilDiv(of.n(), block) <= kMostCuts)
    for (Index j = block; j < of.n(); j += block)
      mark.cuts.push_back(j);
  return {std::move(mark), tokenAxis("key j", of, look), tokenAxis("query i", of, look)};
}

Plot attendedPlot(const ChosenKeys& of, const ChoiceLook& look) {
  Plot plot{MaskMark{of.prepared, wholeOf(of), look.query, std::nullopt},
            tokenAxis("key j", of, look), tokenAxis("query i", of, look)};
  plot.ownQueries = true;
  return plot;
}

// Bars over 0 … count − 1. The first one, where sinks are, stands apart from the frame.
CurvesMark barsOver(const std::string& label, Index count) {
  constexpr double kApart = 0.02;
  CurvesMark mark;
  const auto bars = static_cast<double>(count);
  mark.x = {label, Scale::Linear, -0.5 - kApart * bars, bars - 0.5, true};
  mark.aspect = 0.3;
  return mark;
}

Curve& barsIn(std::map<std::size_t, Curve>& byHue, std::size_t hue) {
  Curve& bars = byHue[hue];
  bars.kind = CurveKind::Bars;
  bars.hue = hue;
  return bars;
}

void addBars(CurvesMark& mark, const std::map<std::size_t, Curve>& byHue,
             const std::string& label) {
  std::vector<double> seen{0};
  for (const auto& [hue, bars] : byHue) {
    for (const Point& point : bars.points)
      seen.push_back(point.y);
    mark.curves.push_back(bars);
  }
  mark.y = axisOver(label, Scale::Linear, seen);
}

// The scores of one row; those without a score that are read anyway are marked by lines.
Plot rowPlot(const ChosenKeys& of, const ChoiceRow& row) {
  CurvesMark mark = barsOver(of.thing() + " of keys", static_cast<Index>(row.scores.size()));
  if (of.choice().keyBlock == 1)
    mark.x.label = "key j";
  std::map<std::size_t, Curve> byHue;
  std::vector<Upright> always;
  for (std::size_t c = 0; c < row.scores.size(); ++c) {
    const Taken taken = row.taken[c];
    const auto x = static_cast<double>(c);
    const bool in = taken == Taken::Chosen || taken == Taken::Forced;
    if (!std::isnan(row.scores[c]))
      barsIn(byHue, in ? of.hueOf(row.block, static_cast<Index>(c), taken) : kGreyHue)
          .points.push_back({x, row.scores[c]});
    else if (taken == Taken::Forced)
      always.push_back({x, always.empty() ? "always" : ""});
  }
  addBars(mark, byHue, "score");
  if (always.size() <= kMostAlways)
    mark.uprights = std::move(always);
  if (row.cut) {
    Curve cut;
    cut.label = "lowest chosen";
    cut.briefly = "cut";
    cut.kind = CurveKind::Level;
    cut.dash = Dash::Dashed;
    cut.points = {{mark.x.begin, *row.cut}, {mark.x.end, *row.cut}};
    mark.curves.push_back(std::move(cut));
  }
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::vector<FigurePanel> scorePanels(const ChosenKeys& of, const ChoiceLook& look) {
  const ChoiceRow row = choiceRow(of, look.query);
  const std::string& by = of.choice().scores->name;
  const bool named = by.find("score") != std::string::npos;
  FigurePanel scores{named ? by : "score: " + by, {scoresPlot(of, look)}, {}};
  scores.briefly = {"score"};
  FigurePanel attended{"attend: " + counted(of.pairs, "pair"), {attendedPlot(of, look)}, {}};
  attended.briefly = {"attend"};
  FigurePanel chosen{"choose: query " + groupedDigits(look.query) + ", " + of.choice().scores->rule,
                     {rowPlot(of, row)},
                     {}};
  chosen.briefly = {"choose: query " + groupedDigits(look.query), "choose"};
  chosen.alone = true;
  return {std::move(scores), std::move(attended), std::move(chosen)};
}

Plot timeLine(const ChosenKeys& of, const ChoiceLook& look) {
  ValuesMark mark;
  mark.values = of.cells;
  mark.cells = wholeOf(of);
  mark.ramp = Ramp::Hues;
  mark.key = look.query; // the column of the step
  return {std::move(mark), tokenAxis("step", of, look), tokenAxis("key j", of, look)};
}

Plot stepPlot(const ChosenKeys& of, const CacheStep& at) {
  CurvesMark mark = barsOver("key j", of.n());
  std::map<std::size_t, Curve> byHue;
  for (std::size_t t = 0; t < at.keys.size(); ++t)
    barsIn(byHue, hueIndex(of.prepared->parts(), at.parts[t]))
        .points.push_back({static_cast<double>(at.keys[t]), at.weights[t]});
  addBars(mark, byHue, "weight");
  mark.uprights = {{static_cast<double>(at.step), "now"}};
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::vector<FigurePanel> cachePanels(const ChosenKeys& of, const ChoiceLook& look) {
  std::vector<FigurePanel> panels{{"every key, step by step", {timeLine(of, look)}, {}}};
  const CacheStep at = cacheStep(of, look.query);
  if (at.weights.empty())
    return panels;
  FigurePanel read{"step " + groupedDigits(at.step) + " reads " +
                       counted(static_cast<Index>(at.keys.size()), "key"),
                   {stepPlot(of, at)},
                   {}};
  read.briefly = {"step " + groupedDigits(at.step)};
  read.alone = true;
  panels.push_back(std::move(read));
  return panels;
}

Curve lineOver(const BudgetCurves& curves, const char* label, double BudgetPoint::*member,
               std::size_t hue, Dash dash) {
  Curve curve;
  curve.label = label;
  curve.hue = hue;
  curve.dash = dash;
  for (const BudgetPoint& point : curves.points)
    curve.points.push_back({point.keys, point.*member});
  return curve;
}

} // namespace

std::vector<FigurePanel> choicePanels(const ChosenKeys& of, const ChoiceLook& look) {
  return of.isCache() ? cachePanels(of, look) : scorePanels(of, look);
}

std::vector<LegendEntry> choiceLegend(const ChosenKeys& of, FigureTheme theme) {
  const FigureColors& colors = figureColors(theme);
  std::vector<LegendEntry> legend;
  for (const auto& [hue, label] : of.hues)
    legend.push_back({colors.series[hue % colors.series.size()], label});
  if (of.isCache())
    return legend;
  if (of.marksForced)
    legend.push_back({colors.series[kForcedHue], "always read"});
  legend.push_back(
      {rampColor(Ramp::Choice, static_cast<double>(choiceValue(std::nullopt, 1)), 1, theme),
       "ranked, not chosen"});
  return legend;
}

Plot budgetPlot(const BudgetCurves& curves) {
  CurvesMark mark;
  std::vector<double> keys;
  for (const BudgetPoint& point : curves.points)
    keys.push_back(point.keys);
  keys.push_back(static_cast<double>(curves.n + 1) / 2);
  mark.x = axisOver("keys read per query", Scale::Log2, keys, false);
  mark.y = {"share of attention kept", Scale::Linear, 0, 1, false};
  mark.curves = {lineOver(curves, "chosen", &BudgetPoint::recall, 0, Dash::Solid),
                 lineOver(curves, "best keys", &BudgetPoint::oracleKeys, 2, Dash::Dotted)};
  if (curves.blocks)
    mark.curves.push_back(
        lineOver(curves, "best blocks", &BudgetPoint::oracleBlocks, 1, Dash::Dashed));
  mark.curves.push_back(lineOver(curves, "window", &BudgetPoint::window, 5, Dash::DashDotted));
  if (const BudgetPoint* own = curves.at(curves.current))
    mark.uprights = {{own->keys, curves.label + " = " + readableNumber(curves.current)}};
  return {std::move(mark), std::nullopt, std::nullopt};
}

} // namespace attention
