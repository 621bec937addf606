#include "core/plot/plot_margins.h"

#include "core/plot/draw_marks.h"
#include "core/plot/ticks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attention {
namespace {

struct Measure {
  double type;
  bool names;
  const TextMeasure& text;

  double line() const { return kLineHeight * type; }
  double width(const std::string& words, bool bold = false) const {
    return text(words, type, bold);
  }

  // The room for an axis in tokens beside its plot: ticks, their labels, its own label.
  double extent(const std::optional<Axis>& axis, bool across) const {
    if (!axis)
      return 0;
    double labels = across ? type : widestNumber(*axis, type, text);
    if (names && !axis->names.empty())
      labels = widestName(*axis, type, text);
    labels += kTickGap * type;
    return labels + (axis->label.empty() ? 0 : kAxisLabelLine * line());
  }

  double labelLine(const std::string& label) const {
    return label.empty() ? 0 : kAxisLabelLine * line();
  }
};

// The last number over an axis reaches beyond its plot.
double overhang(const std::optional<Axis>& axis, const Measure& of) {
  return axis ? widestNumber(*axis, of.type, of.text) / 2 : 0;
}

PlotMargins curveMargins(const CurvesMark& mark, const Measure& of) {
  const bool list = !of.names && listsPoints(mark);
  double ticks = 0;
  // The ticks depend on the length, which is not known yet: the widest of what may come.
  for (const double length : std::array{80.0, 160.0, 320.0, 640.0})
    for (const NumberTick& tick : ticksUp(mark.y, length, of.type))
      ticks = std::max(ticks, of.width(tick.text));
  double labels = of.width(groupedDigits(static_cast<Index>(mark.x.end))) / 2;
  for (const Curve& curve : mark.curves)
    if (!curve.label.empty() && !list)
      labels = std::max(labels, kCurveLabelGap * of.type +
                                    of.width(nameOf(curve), curve.kind == CurveKind::Data));
  if (list)
    labels = std::max(labels, listWidth(mark, of.type, of.text));
  PlotMargins margins;
  margins.left = ticks + kTickGap * of.type + of.labelLine(mark.y.label);
  margins.top = of.type / 2;
  margins.right = labels;
  margins.bottom = (1 + kTickGap) * of.type + of.labelLine(mark.x.label);
  return margins;
}

PlotMargins diagramMargins(const DiagramMark& mark, const Measure& of) {
  const double around = mark.around * of.type;
  double beside = 0;
  for (const DiagramText& text : mark.texts)
    if (text.beside)
      beside = std::max(beside, kDiagramWordGap * of.type + of.width(text.text, text.bold));
  const double foot = mark.foot.forms.empty() ? 0 : kDiagramFoot * of.type;
  return {around, around, around + beside, around + foot};
}

// The room above a matrix of numbers and to its right.
void addBeside(const ValuesMark& mark, const Measure& of, PlotMargins& margins) {
  if (mark.sums)
    margins.top += (kSumsHeight + kSumsGap) * of.type;
  if (!mark.bar)
    return;
  const BarScale scale{mark.ramp, static_cast<double>(mark.top)};
  if (mark.bar->below) {
    margins.bottom += barHeight(of.type);
    return;
  }
  constexpr double kBelowNumber = 0.4; // half of the lowest number, in sizes of type
  margins.right = std::max(margins.right, barWidth(*mark.bar, scale, of.type, of.text));
  margins.bottom = std::max(margins.bottom, kBelowNumber * of.type);
}

PlotMargins layerMargins(const Plot& plot, const LayersMark& mark, const Measure& of) {
  PlotMargins margins;
  for (Index row = 0; row <= mark.layers && mark.rowNames; ++row)
    margins.left = std::max(margins.left, of.width(rowName(row)));
  margins.left += of.type;
  margins.top = of.type / 2;
  margins.right = of.type / 2;
  margins.bottom = of.type / 2 + of.extent(plot.keys, true);
  return margins;
}

} // namespace

PlotMargins marginsOf(const Plot& plot, double type, bool names, const TextMeasure& measure) {
  const Measure of{type, names, measure};
  if (const auto* curves = std::get_if<CurvesMark>(&plot.mark))
    return curveMargins(*curves, of);
  if (const auto* layers = std::get_if<LayersMark>(&plot.mark))
    return layerMargins(plot, *layers, of);
  if (const auto* links = std::get_if<LinksMark>(&plot.mark))
    return marginsOf(*links, type, measure);
  if (const auto* tiles = std::get_if<TilesMark>(&plot.mark))
    return marginsOf(*tiles, type, measure);
  if (std::holds_alternative<RunningTextMark>(plot.mark))
    return {};
  if (const auto* diagram = std::get_if<DiagramMark>(&plot.mark))
    return diagramMargins(*diagram, of);
  PlotMargins margins{of.extent(plot.queries, false), of.extent(plot.keys, true),
                      overhang(plot.keys, of), 0};
  if (const auto* values = std::get_if<ValuesMark>(&plot.mark))
    addBeside(*values, of, margins);
  return margins;
}

bool namesHaveRoom(const Plot& plot, const Size& size, double type, const TextMeasure& measure) {
  const auto fit = [&](const std::optional<Axis>& axis, double length) {
    return !axis || axis->names.empty() || namesFit(*axis, length, type);
  };
  const auto* curves = std::get_if<CurvesMark>(&plot.mark);
  return fit(plot.keys, size.width) && fit(plot.queries, size.height) &&
         (!curves || !listsPoints(*curves) ||
          namesHaveRoom(*curves, {0, 0, size.width, size.height}, type, measure));
}

bool sharesQueries(const Plot& plot) {
  return !plot.ownQueries && (std::holds_alternative<MaskMark>(plot.mark) ||
                              std::holds_alternative<ValuesMark>(plot.mark) ||
                              std::holds_alternative<ImageMark>(plot.mark));
}

namespace {

// Where there is room for one tick alone at that gap, the first and the last of what a smaller one
// gives, if they lie at least `least` apart.
std::vector<NumberTick> twoTicks(const NumberAxis& axis, double length, double gap, double least) {
  std::vector<NumberTick> ticks = ticksOf(axis, length, gap);
  for (double finer = gap; ticks.size() < 2 && finer > gap / 8; finer /= 1.5) {
    const auto more = ticksOf(axis, length, finer);
    const bool apart =
        more.size() >= 2 &&
        std::abs(shareOf(axis, more.back().at) - shareOf(axis, more.front().at)) * length >= least;
    if (apart)
      ticks = {more.front(), more.back()};
  }
  return ticks;
}

} // namespace

std::vector<NumberTick> ticksAcross(const NumberAxis& axis, double length, double type,
                                    const TextMeasure& measure) {
  // Wider numbers need a wider gap: the first is a guess.
  double gap = 3 * type;
  for (int attempt = 0; attempt < 3; ++attempt) {
    double widest = 0;
    for (const NumberTick& tick : ticksOf(axis, length, gap))
      widest = std::max(widest, measure(tick.text, type, false));
    if (widest + type <= gap)
      break;
    gap = widest + 1.2 * type;
  }
  return twoTicks(axis, length, gap, gap - 0.6 * type);
}

std::vector<NumberTick> ticksUp(const NumberAxis& axis, double length, double type) {
  return twoTicks(axis, length, 2.6 * type, kLineHeight * type);
}

std::string rowName(Index row) {
  return row == 0 ? "input" : "layer " + std::to_string(row);
}

} // namespace attention
