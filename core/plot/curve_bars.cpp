#include "core/plot/draw_marks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kBarShare = 0.8;    // of the distance of two bars
constexpr double kLeastGapped = 4;   // pixels: nearer bars touch
constexpr double kLeastErrorBar = 1; // pixels, in both directions

// The bars of a curve that share a column: where it is on the x axis, and its bars by their size.
struct BarColumn {
  double begin;
  double end;
  double least;
  double most;
};

double barStep(const CurvesMark& mark, const Box& box) {
  return std::max(box.width, kLeastErrorBar) / std::max(mark.x.end - mark.x.begin, 1.0);
}

// Bars left over at the end join the last column, or it would be narrower than a pixel.
BarColumn columnAt(const NumberAxis& x, double bars, const Point& point) {
  if (bars == 1)
    return {point.x - 0.5, point.x + 0.5, point.y, point.y};
  const double last = std::max(std::floor((x.end - x.begin) / bars) - 1, 0.0);
  const double k = std::min(std::floor((point.x - x.begin) / bars), last);
  const double begin = x.begin + k * bars;
  return {begin, k == last ? x.end : begin + bars, point.y, point.y};
}

std::vector<BarColumn> columnsOf(const CurvesMark& mark, const Box& box, const Curve& curve) {
  const auto bars = static_cast<double>(barsPerColumn(mark, box));
  std::vector<BarColumn> columns;
  for (const Point& point : curve.points) {
    if (std::isnan(point.y) || point.x < mark.x.begin || point.x > mark.x.end)
      continue;
    const BarColumn alone = columnAt(mark.x, bars, point);
    if (columns.empty() || columns.back().begin != alone.begin)
      columns.push_back(alone);
    BarColumn& column = columns.back();
    if (std::abs(point.y) < std::abs(column.least))
      column.least = point.y;
    if (std::abs(point.y) > std::abs(column.most))
      column.most = point.y;
  }
  return columns;
}

} // namespace

bool hasBars(const CurvesMark& mark) {
  return std::any_of(mark.curves.begin(), mark.curves.end(), [](const Curve& curve) {
    return curve.kind == CurveKind::Bars && !curve.points.empty();
  });
}

Index barsPerColumn(const CurvesMark& mark, const Box& box) {
  return hasBars(mark) ? static_cast<Index>(std::ceil(kLeastErrorBar / barStep(mark, box))) : 1;
}

BarBoxes barBoxes(const CurvesMark& mark, const Box& box, const Curve& curve) {
  const double step = barStep(mark, box);
  const double gap = step < kLeastGapped ? 0 : (1 - kBarShare) * step;
  const auto heightAt = [&](double value) {
    return std::clamp(placeOf(mark, box, {0, value}).y, box.y, box.bottom());
  };
  BarBoxes bars;
  for (const BarColumn& column : columnsOf(mark, box, curve)) {
    const double left = placeOf(mark, box, {column.begin, 0}).x + gap / 2;
    const double right = placeOf(mark, box, {column.end, 0}).x - gap / 2;
    const auto bar = [&](double from, double to) {
      const double a = heightAt(from);
      const double b = heightAt(to);
      return Box{left, std::min(a, b), right - left, std::max(std::abs(a - b), kLeastErrorBar)};
    };
    bars.solid.push_back(bar(0, column.least));
    if (column.most != column.least)
      bars.light.push_back(bar(column.least, column.most));
  }
  return bars;
}

} // namespace attention
