#include "core/views/model/model_figure.h"

#include "core/analysis/stack/kv_cache.h"
#include "core/plot/curves.h"
#include "core/support/number_text.h"
#include "core/support/text.h"
#include "core/views/board/board_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

constexpr double kName = 38; // units of the board
constexpr double kNumber = 14;
constexpr double kLetter = 2; // of a heading

constexpr Index kMostSmoothed = 32; // positions
constexpr Index kLeastWindows = 8;  // that a smoothed curve is long

// Of a column of FLOPs: the largest of which its largest number has at least one.
struct FlopsUnit {
  double size;
  const char* name;
};
FlopsUnit flopsUnit(const MeasuredCosts& costs) {
  constexpr std::array kUnits{FlopsUnit{1e12, " T"}, FlopsUnit{1e9, " G"}, FlopsUnit{1e6, " M"},
                              FlopsUnit{1e3, " k"}};
  double most = 0;
  for (const MeasuredRow& row : costs.rows)
    most = std::max(most, row.row.flops);
  const auto* unit = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const FlopsUnit& each) { return most >= each.size; });
  return unit == kUnits.end() ? FlopsUnit{1, ""} : *unit;
}

// Position i + 1 is the token that prediction i is about.
std::vector<Point> byPosition(const std::vector<double>& values) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < values.size(); ++i)
    points.push_back({static_cast<double>(i + 1), values[i]});
  return points;
}

std::string numberText(const std::optional<double>& value, int digits) {
  return value ? fixed(*value, digits) : "–";
}

BoardLine boardLine(const MeasuredCosts& costs, const FlopsUnit& unit, std::size_t place) {
  const LossRow& row = costs.rows[place].row;
  BoardLine line;
  line.row = static_cast<Index>(place);
  line.cells = {{row.name}, {readableNumber(pairsShare(costs, row)) + " %"}};
  if (costs.encoder) {
    line.cells.push_back({numberText(row.change, 4)});
  } else {
    line.cells.push_back({numberText(row.loss, 3)});
    line.cells.push_back({row.perplexity ? readableNumber(*row.perplexity) : "–"});
    line.cells.push_back({numberText(row.kl, 3)});
    line.cells.push_back({row.top1 ? readableNumber(100 * *row.top1) + " %" : "–"});
  }
  line.cells.push_back({plainNumber(row.flops / unit.size, 3) + unit.name});
  if (!costs.encoder)
    line.cells.push_back({row.kvBytes ? bytesText(*row.kvBytes) : "–"});
  return line;
}

std::string cellOf(const std::optional<double>& value) {
  return value ? csvNumber(*value) : "";
}

} // namespace

Index smoothingOf(const MeasuredCosts& costs) {
  return std::clamp<Index>((costs.tokens - 1) / kLeastWindows, 1, kMostSmoothed);
}

std::vector<double> smoothed(const std::vector<double>& values, Index window) {
  if (window == 1)
    return values;
  const auto count = static_cast<Index>(values.size());
  std::vector<double> sums(values.size() + 1, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[i + 1] = sums[i] + values[i];
  std::vector<double> means;
  for (Index i = 0; i < count; ++i) {
    const Index begin = std::max<Index>(i - window / 2, 0);
    const Index end = std::min(i - window / 2 + window, count);
    means.push_back((sums[static_cast<std::size_t>(end)] - sums[static_cast<std::size_t>(begin)]) /
                    static_cast<double>(end - begin));
  }
  return means;
}

Plot frontPlot(const MeasuredCosts& costs) {
  CurvesMark mark;
  std::vector<Point> points;
  std::vector<double> shares{0};
  std::vector<double> lost;
  for (std::size_t k = 0; k < costs.rows.size(); ++k) {
    const LossRow& row = costs.rows[k].row;
    const Point point{pairsShare(costs, row), lostBy(costs, row).value_or(NAN)};
    mark.named.push_back({point, row.name, costs.rows[k].hue});
    points.push_back(point);
    if (!std::isfinite(point.y))
      continue;
    shares.push_back(point.x);
    lost.push_back(point.y);
  }
  mark.x = axisOver("pairs, % of the model's own", Scale::Linear, shares);
  mark.y = axisOver(costs.encoder ? "change in the final states" : "loss, nats per token",
                    Scale::Linear, lost);
  if (points.size() > 1)
    mark.curves.push_back(frontCurve(points, /*moreIsBetter=*/false));
  for (Curve& front : mark.curves)
    front.label.clear(); // the caption names it, and the points need the room
  return {std::move(mark), std::nullopt, std::nullopt};
}

std::optional<Plot> alongPlot(const MeasuredCosts& costs, const MeasuredRows& single) {
  const MeasuredRow& first = costs.rows.empty() ? costs.begun.value() : costs.rows.front();
  if (first.loss.size() < 2)
    return std::nullopt;
  CurvesMark mark;
  std::vector<double> seen{0};
  const Index window = smoothingOf(costs);
  const auto addCurve = [&](const MeasuredRow& row, Index over) -> Curve& {
    Curve& curve = mark.curves.emplace_back();
    curve.hue = row.hue;
    curve.points = byPosition(smoothed(row.loss, over));
    for (const Point& point : curve.points)
      seen.push_back(point.y);
    return curve;
  };
  const auto add = [&](const MeasuredRow& row) { addCurve(row, window).label = row.row.name; };
  for (const MeasuredRow& row : costs.rows)
    add(row);
  if (costs.begun) {
    add(*costs.begun);
    mark.curves.back().fitted = "first " + groupedDigits(tokensOf(*costs.begun));
    mark.curves.back().dash = Dash::Dotted;
  }
  if (window > 1)
    for (const MeasuredRow* row : single)
      addCurve(*row, 1).kind = CurveKind::Single;
  mark.x = {"position in the text", Scale::Linear, 0, static_cast<double>(costs.tokens), true};
  mark.y = axisOver("loss, nats", Scale::Linear, seen);
  mark.aspect = 0.4;
  return Plot{std::move(mark), std::nullopt, std::nullopt};
}

Board costsBoard(const MeasuredCosts& costs) {
  Board board;
  board.columns = {{"masks", kName}, {"pairs", kNumber}};
  if (costs.encoder)
    board.columns.push_back({"change", kNumber});
  else
    for (const std::string heading : {"loss", "perplexity", "KL", "same top token"})
      board.columns.push_back(
          {heading, std::max(kNumber, kLetter * static_cast<double>(heading.size()))});
  board.columns.push_back({"FLOPs", kNumber});
  if (!costs.encoder)
    board.columns.push_back({"KV cache", kNumber + 4});
  const FlopsUnit unit = flopsUnit(costs);
  for (std::size_t k = 0; k < costs.rows.size(); ++k)
    board.lines.push_back(boardLine(costs, unit, k));
  return board;
}

CsvTable costsTable(const MeasuredCosts& costs) {
  CsvTable table{
      {"name", "pairs", "loss", "perplexity", "kl", "top1", "change", "flops", "kv_bytes"}, {}};
  for (const MeasuredRow& measured : costs.rows) {
    const LossRow& row = measured.row;
    table.rows.push_back({row.name, csvNumber(row.pairs), cellOf(row.loss), cellOf(row.perplexity),
                          cellOf(row.kl), cellOf(row.top1), cellOf(row.change),
                          csvNumber(row.flops),
                          row.kvBytes ? csvNumber(*row.kvBytes) : std::string()});
  }
  return table;
}

Figure costsFigure(const MeasuredCosts& costs, FigureTheme theme, const MeasuredRows& single) {
  Figure figure;
  figure.title = titleOf(costs);
  figure.caption = captionOf(costs, single);
  figure.theme = theme;
  const std::string of = costs.encoder ? "change" : "loss";
  figure.panels.push_back({of + " against attended pairs", {frontPlot(costs)}, {}});
  if (auto along = alongPlot(costs, single))
    figure.panels.push_back({"loss along the text", {std::move(*along)}, {}});
  FigurePanel table{"", {boardPlot(costsBoard(costs))}, {}};
  table.alone = true;
  figure.panels.push_back(std::move(table));
  return figure;
}

} // namespace attention
