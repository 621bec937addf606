#include "core/figure/draw_named_points.h"

#include "core/figure/draw_curves.h"
#include "core/figure/plot_margins.h"
#include "core/figure/text_fit.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace attention {
namespace {

constexpr double kDotRadius = 3.6;  // pixels at 13 pixels of type
constexpr double kGap = 0.55;       // sizes of type between a dot and its words
constexpr int kMostSteps = 4;       // lines that words go up or down to find room
constexpr int kNearSteps = 1;       // beyond these a thin line leads from the dot to its words
constexpr double kMostPoints = 1e4; // along one piece of a line
constexpr double kLeastLines = 12;  // of the picture's height: in lower ones words stand near alone
constexpr int kMostAside = 8;       // sizes of type that numbers go to the sides
constexpr int kMostFar = 2;         // names at the ends of thin lines: with more, nobody follows
constexpr double kListIndent = 1.2; // of the names in a list, in sizes of type, as all that follow
constexpr double kListGap = 1.3;    // between a plot and its list: the last number reaches there
constexpr double kNumberNear = 1.3; // from a dot to a number that needs no line to it
constexpr double kLeastLine = 1.15; // of a list
constexpr double kBelowPlot = 2.4;  // that a list may reach below its plot, beside the axis

bool meet(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

class NamedPoints {
public:
  NamedPoints(const Box& box, double type) : box_(box), type_(type) {}

  // Words go beside dots, not over them.
  void keepClear(const Point& dot, double radius) {
    taken_.push_back({dot.x - radius, dot.y - radius, 2 * radius, 2 * radius});
  }

  // Nor over lines, where there is another place.
  void avoid(const Point& from, const Point& to) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!std::isfinite(length)) // a gap
      return;
    const auto steps = static_cast<int>(std::min(std::ceil(length / (type_ / 2)), kMostPoints));
    for (int k = 0; k <= steps; ++k) {
      const double share = steps == 0 ? 0 : static_cast<double>(k) / steps;
      lines_.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }

  struct Place {
    Box room;
    Point from; // the end of the line that leads to the dot
    bool near;
  };

  // Where words of that width stand beside a dot: right and below, then on the other sides, then
  // further up and down where the picture is high enough for lines to the dots; nowhere if all is
  // taken.
  std::optional<Place> placeFor(const Point& at, double width) {
    const double line = kLineHeight * type_;
    return placeFor(at, width, box_.height < kLeastLines * line ? kNearSteps : kMostSteps, 0);
  }

  // The same of a number, which is short, in a picture of any height: also farther to the sides.
  std::optional<Place> placeForNumber(const Point& at, double width) {
    for (int aside = 0; aside <= kMostAside; ++aside)
      if (const auto place = placeFor(at, width, kMostSteps, aside * type_))
        return place;
    return std::nullopt;
  }

private:
  std::optional<Place> placeFor(const Point& at, double width, int most, double aside) {
    if (const auto place = placeFor(at, width, most, aside, /*clear=*/true))
      return place;
    return placeFor(at, width, most, aside, /*clear=*/false);
  }

  std::optional<Place> placeFor(const Point& at, double width, int most, double aside, bool clear) {
    const double line = kLineHeight * type_;
    const double gap = kGap * type_ + aside;
    for (int step = 0; step <= most; ++step)
      for (const double down : {1.0, -1.0})
        for (const bool right : {true, false}) {
          const double x = right ? at.x + gap : at.x - gap - width;
          const double middle = at.y + down * (0.6 + static_cast<double>(step)) * line;
          const Box room{x, middle - line / 2, width, line};
          if (fits(room) && !(clear && crossed(room))) {
            taken_.push_back(room);
            return Place{room, {right ? x : x + width, middle}, aside == 0 && step <= kNearSteps};
          }
        }
    return std::nullopt;
  }

  bool crossed(const Box& room) const {
    return std::any_of(lines_.begin(), lines_.end(), [&](const Point& p) {
      return p.x > room.x && p.x < room.right() && p.y > room.y && p.y < room.bottom();
    });
  }

  bool fits(const Box& room) const {
    return room.x >= box_.x && room.right() <= box_.right() && room.y >= box_.y &&
           room.bottom() <= box_.bottom() &&
           std::none_of(taken_.begin(), taken_.end(),
                        [&](const Box& other) { return meet(room, other); });
  }

  const Box& box_;
  double type_;
  std::vector<Box> taken_;
  std::vector<Point> lines_; // points along them
};

std::size_t labelledCurves(const CurvesMark& mark) {
  return static_cast<std::size_t>(
      std::count_if(mark.curves.begin(), mark.curves.end(),
                    [](const Curve& curve) { return !curve.label.empty(); }));
}

// A point in the picture, and its number in the order of the mark.
struct SeenPoint {
  const NamedPoint* named;
  Point at;
  std::size_t number;
};

// Those inside of `box`. What has a hue of its own comes first: the picture is about it.
std::vector<SeenPoint> seenPoints(const CurvesMark& mark, const Box& box) {
  std::vector<SeenPoint> seen;
  for (std::size_t k = 0; k < mark.named.size(); ++k) {
    const Point at = placeOf(mark, box, mark.named[k].at);
    if (at.x >= box.x && at.x <= box.right() && at.y >= box.y && at.y <= box.bottom())
      seen.push_back({&mark.named[k], at, k + 1});
  }
  std::stable_partition(seen.begin(), seen.end(),
                        [](const SeenPoint& point) { return point.named->hue.has_value(); });
  return seen;
}

// What words have to keep off.
NamedPoints emptyPlaces(const CurvesMark& mark, const Box& box, double type,
                        const std::vector<SeenPoint>& seen) {
  NamedPoints places(box, type);
  for (const SeenPoint& point : seen)
    places.keepClear(point.at, type / 13 * kDotRadius);
  for (const Curve& curve : mark.curves)
    for (std::size_t k = 1; k < curve.points.size(); ++k)
      places.avoid(placeOf(mark, box, curve.points[k - 1]), placeOf(mark, box, curve.points[k]));
  return places;
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
    NamedPoints places = emptyPlaces(mark_, box_, style_.type, seen_);
    for (const SeenPoint& point : seen_) {
      const std::string words = numbers ? std::to_string(point.number) : point.named->label;
      const double width = drawing_.measure(words, style_.type, numbers);
      if (const auto place =
              numbers ? places.placeForNumber(point.at, width) : places.placeFor(point.at, width))
        drawWords(point.at, *place, words, numbers);
    }
    if (numbers)
      drawList();
  }

private:
  const Color& colorOf(const NamedPoint& point) const {
    return point.hue ? colors_.series[*point.hue % colors_.series.size()] : colors_.text;
  }

  void drawDot(const Point& at, const NamedPoint& of) {
    drawing_.list.add(Discs{{at}, style_.type / 13 * kDotRadius, colorOf(of)});
  }

  void drawWords(const Point& at, const NamedPoints::Place& place, const std::string& words,
                 bool bold) {
    const double away = std::hypot(place.from.x - at.x, place.from.y - at.y);
    if (!place.near || (bold && away > kNumberNear * style_.type)) // a number is small
      drawing_.list.add(Polyline{{at, place.from}, colors_.dim, style_.type / 13});
    addText({place.room.x, place.room.y + place.room.height / 2 + 0.35 * style_.type}, words,
            colors_.text, bold);
  }

  void addText(const Point& at, const std::string& words, const Color& color, bool bold) {
    if (!words.empty())
      drawing_.list.add(Text{at, words, style_.type, color, TextAlign::Left, bold});
  }

  // Dot, number and name of each in a line at the right; where the lines are too few, how many more
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
                     colors_.dim, false);
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
            colors_.text, false);
  }

  void drawCurveEntry(const Curve& curve, double y) {
    const Color& color = colors_.series[curve.hue % colors_.series.size()];
    const double middle = y - 0.35 * style_.type;
    drawing_.list.add(Polyline{{{left(), middle}, {left() + 0.8 * style_.type, middle}},
                               color,
                               style_.type / 13,
                               curve.dash});
    addText({wordsAt(), y}, cut(curve.label, wordsAt()), color, false);
  }

  const CurvesMark& mark_;
  const Box& box_;
  const PlotStyle& style_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  std::vector<SeenPoint> seen_;
};

} // namespace

bool listsPoints(const CurvesMark& mark) {
  return !mark.named.empty() &&
         std::none_of(mark.curves.begin(), mark.curves.end(), [](const Curve& curve) {
           return curve.kind == CurveKind::Data && !curve.label.empty();
         });
}

bool namesHaveRoom(const CurvesMark& mark, const Box& box, double type,
                   const TextMeasure& measure) {
  const std::vector<SeenPoint> seen = seenPoints(mark, box);
  NamedPoints places = emptyPlaces(mark, box, type, seen);
  int far = 0;
  for (const SeenPoint& point : seen) {
    const auto place = places.placeFor(point.at, measure(point.named->label, type, false));
    far += place && place->near ? 0 : 1;
    if (!place || far > kMostFar)
      return false;
  }
  return true;
}

double listWidth(const CurvesMark& mark, double type, const TextMeasure& measure) {
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
