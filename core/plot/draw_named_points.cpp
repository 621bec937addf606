#include "core/plot/draw_marks.h"

#include "core/plot/label_places.h"
#include "core/plot/number_places.h"
#include "core/plot/plane.h"
#include "core/plot/plot_margins.h"
#include "core/plot/text_fit.h"
#include "core/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attention {
namespace {

constexpr double kPointRadius = 3.6; // pixels at 13 pixels of type
constexpr double kNearPoint = 2.5;   // in sizes of type: such a short line is followed at a glance
constexpr int kMostFar = 2;          // at most this many names are further away
constexpr double kListIndent = 1.2;  // of the names in a list; in sizes of type, as all below
constexpr double kListGap = 1.3; // between a plot and its list; the axis's last number reaches in
constexpr double kLeastLine = 1.15; // least line height of a list
constexpr double kBelowPlot = 2.4;  // how far a list may reach below its plot, beside the axis

std::size_t labelledCurves(const CurvesMark& mark) {
  return static_cast<std::size_t>(
      std::count_if(mark.curves.begin(), mark.curves.end(),
                    [](const Curve& curve) { return !curve.label.empty(); }));
}

// As left by withoutNames: points have numbers, which are explained elsewhere.
bool namesStandElsewhere(const CurvesMark& mark) {
  return std::all_of(mark.named.begin(), mark.named.end(),
                     [](const NamedPoint& point) { return point.label.empty(); });
}

// A point in the picture, and its number in the order of the mark.
struct SeenPoint {
  const NamedPoint* named;
  Point at;
  std::size_t number;
};

// A captured mass that rounding lifts beyond 1 lies on the frame.
bool holds(const Box& box, const Point& at) {
  return at.x >= box.x - kSlack && at.x <= box.right() + kSlack && at.y >= box.y - kSlack &&
         at.y <= box.bottom() + kSlack;
}

// Those inside `box`. Points with a hue of their own come first: the picture is about them.
std::vector<SeenPoint> seenPoints(const CurvesMark& mark, const Box& box) {
  std::vector<SeenPoint> seen;
  for (std::size_t k = 0; k < mark.named.size(); ++k) {
    const Point at = placeOf(mark, box, mark.named[k].at);
    if (holds(box, at))
      seen.push_back({&mark.named[k], at, k + 1});
  }
  std::stable_partition(seen.begin(), seen.end(),
                        [](const SeenPoint& point) { return point.named->hue.has_value(); });
  return seen;
}

// What words must avoid.
LabelPlaces emptyPlaces(const CurvesMark& mark, const Box& box, double type,
                        const std::vector<SeenPoint>& seen) {
  LabelPlaces places(box, type);
  for (const SeenPoint& point : seen)
    places.keepClear(point.at, type / 13 * kPointRadius);
  for (const Curve& curve : mark.curves)
    for (std::size_t k = 1; k < curve.points.size(); ++k)
      places.avoid(placeOf(mark, box, curve.points[k - 1]), placeOf(mark, box, curve.points[k]));
  return places;
}

bool isFar(const Point& dot, const LabelPlaces::Place& place, double type) {
  return place.led && distance(place.from, dot) > kNearPoint * type;
}

class PointsPainter {
public:
  PointsPainter(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                const Drawing& drawing)
      : mark_(mark), box_(box), style_(style), drawing_(drawing),
        colors_(figureColors(style.theme)), seen_(seenPoints(mark, box)) {}

  void run(bool numbers) {
    for (const SeenPoint& point : seen_)
      drawDot(point.at, *point.named);
    if (!numbers)
      return drawNames();
    const bool elsewhere = namesStandElsewhere(mark_);
    drawNumbers(!elsewhere);
    if (!elsewhere)
      drawList();
  }

private:
  // Near their dots; if a crowd leaves some no place there, with `all` they get one as far off as
  // needed.
  void drawNumbers(bool all) {
    std::vector<NumberedDot> dots;
    for (const SeenPoint& point : seen_)
      dots.push_back({point.at, style_.type / 13 * kPointRadius, widthOf(point, true)});
    NumberPlaces found =
        placeNumbers(box_, style_.type, dots, emptyPlaces(mark_, box_, style_.type, seen_));
    LabelPlaces left = emptyPlaces(mark_, box_, found.type, seen_);
    for (std::size_t k = 0; k < seen_.size(); ++k)
      if (const auto& place = found.places[k])
        left.take(seen_[k].at, *place);
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      auto& place = found.places[k];
      if (!place && all)
        place = left.placeForFew(seen_[k].at, found.type / style_.type * dots[k].width);
      if (place)
        drawWords(seen_[k].at, *place, {wordsOf(seen_[k], true), found.type, true});
    }
  }

  // One point after the other.
  void drawNames() {
    LabelPlaces places = emptyPlaces(mark_, box_, style_.type, seen_);
    // Where curves have the plot's words, points have few, each with a line to them.
    const bool few = !listsPoints(mark_);
    for (const SeenPoint& point : seen_) {
      const double width = widthOf(point, false);
      if (const auto place =
              few ? places.placeForFew(point.at, width) : places.placeFor(point.at, width))
        drawWords(point.at, *place, {wordsOf(point, false), style_.type, false});
    }
  }

  std::string wordsOf(const SeenPoint& point, bool numbers) const {
    return numbers ? std::to_string(point.number) : point.named->label;
  }

  double widthOf(const SeenPoint& point, bool numbers) const {
    return drawing_.measure(wordsOf(point, numbers), style_.type, numbers);
  }

  const Color& colorOf(const NamedPoint& point) const {
    return point.hue ? colors_.series[*point.hue % colors_.series.size()] : colors_.text;
  }

  void drawDot(const Point& at, const NamedPoint& of) {
    drawing_.list.add(Markers{{at}, style_.type / 13 * kPointRadius, colorOf(of)});
  }

  struct Words {
    std::string words;
    double type;
    bool bold;
  };

  void drawWords(const Point& at, const LabelPlaces::Place& place, const Words& of) {
    if (of.words.empty())
      return;
    if (place.led)
      drawing_.list.add(Polyline{{at, place.from}, colors_.dim, style_.type / 13});
    const double base = place.room.y + place.room.height / 2 + 0.35 * of.type;
    drawing_.list.add(
        Text{{place.room.x, base}, of.words, of.type, colors_.text, TextAlign::Left, of.bold});
  }

  void addText(const Point& at, const std::string& words, const Color& color) {
    if (!words.empty())
      drawing_.list.add(Text{at, words, style_.type, color, TextAlign::Left, false});
  }

  // Dot, number and name of each in a line on the right; where the lines are too few, how many more
  // there are. Curves with words come last, where there is a line left.
  void drawList() {
    const double type = style_.type;
    const double room = box_.height + kBelowPlot * type;
    const auto most = static_cast<std::size_t>(room / (kLeastLine * type));
    std::size_t lines = seen_.size() + labelledCurves(mark_);
    const double line = std::min(kLineHeight * type, room / static_cast<double>(lines));
    lines = std::min(lines, std::max<std::size_t>(most, 1));
    const double height = std::max(line, kLeastLine * type);
    const std::size_t points = lines < seen_.size() ? lines - 1 : seen_.size();
    double y = box_.y + 0.5 * type;
    std::vector<SeenPoint> inOrder = seen_;
    std::sort(inOrder.begin(), inOrder.end(),
              [](const SeenPoint& a, const SeenPoint& b) { return a.number < b.number; });
    for (std::size_t k = 0; k < points; ++k, y += height)
      drawEntry(inOrder[k], y);
    if (points < seen_.size())
      return addText({left(), y}, "and " + std::to_string(seen_.size() - points) + " more",
                     colors_.dim);
    for (std::size_t k = 0; k < mark_.curves.size() && lines > points; ++k)
      if (!mark_.curves[k].label.empty()) {
        drawCurveEntry(mark_.curves[k], y);
        y += height;
        --lines;
      }
  }

  double left() const { return box_.right() + kListGap * style_.type; }
  double wordsAt() const { return left() + kListIndent * style_.type; }

  std::string cut(const std::string& words, double at) const {
    const double room = style_.right > 0 ? box_.right() + style_.right - at + kSlack : HUGE_VAL;
    return fitted(words, room, {style_.type, false}, drawing_.measure);
  }

  void drawEntry(const SeenPoint& of, double y) {
    drawDot({left() + 0.35 * style_.type, y - 0.35 * style_.type}, *of.named);
    addText({wordsAt(), y}, cut(std::to_string(of.number) + " " + of.named->label, wordsAt()),
            colors_.text);
  }

  void drawCurveEntry(const Curve& curve, double y) {
    const Color& color = colors_.series[curve.hue % colors_.series.size()];
    const double middle = y - 0.35 * style_.type;
    drawing_.list.add(Polyline{{{left(), middle}, {left() + 0.8 * style_.type, middle}},
                               color,
                               style_.type / 13,
                               curve.dash});
    addText({wordsAt(), y}, cut(curve.label, wordsAt()), readable(color, colors_.ground));
  }

  const CurvesMark& mark_;
  const Box& box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  std::vector<SeenPoint> seen_;
};

} // namespace

Plot withoutNames(Plot plot) {
  auto& mark = std::get<CurvesMark>(plot.mark);
  for (NamedPoint& point : mark.named)
    point.label.clear();
  for (Curve& curve : mark.curves)
    curve.label.clear();
  return plot;
}

bool listsPoints(const CurvesMark& mark) {
  return !mark.named.empty() &&
         std::none_of(mark.curves.begin(), mark.curves.end(), [](const Curve& curve) {
           return curve.kind == CurveKind::Data && !curve.label.empty();
         });
}

bool namesHaveRoom(const CurvesMark& mark, const Box& box, double type,
                   const TextMeasure& measure) {
  if (namesStandElsewhere(mark))
    return false;
  const std::vector<SeenPoint> seen = seenPoints(mark, box);
  LabelPlaces places = emptyPlaces(mark, box, type, seen);
  int far = 0;
  for (const SeenPoint& point : seen) {
    const auto place = places.placeFor(point.at, measure(point.named->label, type, false));
    if (place && isFar(point.at, *place, type))
      ++far;
    if (!place || far > kMostFar)
      return false;
  }
  return true;
}

double listWidth(const CurvesMark& mark, double type, const TextMeasure& measure) {
  if (namesStandElsewhere(mark))
    return 0;
  double widest = 0;
  for (std::size_t k = 0; k < mark.named.size(); ++k)
    widest =
        std::max(widest, measure(std::to_string(k + 1) + " " + mark.named[k].label, type, false));
  for (const Curve& curve : mark.curves)
    widest = std::max(widest, measure(curve.label, type, false));
  return (kListGap + kListIndent) * type + widest;
}

void drawNamedPoints(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing) {
  PointsPainter(mark, box, style, drawing).run(!style.names && listsPoints(mark));
}

} // namespace attention
