#include "core/figure/draw_named_points.h"

#include "core/figure/draw_curves.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace attention {
namespace {

constexpr double kDotRadius = 3.6;  // pixels at 13 pixels of type
constexpr double kGap = 0.55;       // sizes of type between a dot and its words
constexpr int kMostSteps = 4;       // lines that words go up or down to find room
constexpr int kNearSteps = 1;       // beyond these a thin line leads from the dot to its words
constexpr double kMostPoints = 1e4; // along one piece of a line
constexpr double kLeastLines = 12;  // of the picture's height: in lower ones words stand near alone

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
    if (const auto place = placeFor(at, width, /*clear=*/true))
      return place;
    return placeFor(at, width, /*clear=*/false);
  }

private:
  std::optional<Place> placeFor(const Point& at, double width, bool clear) {
    const double line = kLineHeight * type_;
    const int most = box_.height < kLeastLines * line ? kNearSteps : kMostSteps;
    for (int step = 0; step <= most; ++step)
      for (const double down : {1.0, -1.0})
        for (const bool right : {true, false}) {
          const double x = right ? at.x + kGap * type_ : at.x - kGap * type_ - width;
          const double middle = at.y + down * (0.6 + static_cast<double>(step)) * line;
          const Box room{x, middle - line / 2, width, line};
          if (fits(room) && !(clear && crossed(room))) {
            taken_.push_back(room);
            return Place{room, {right ? x : x + width, middle}, step <= kNearSteps};
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

} // namespace

void drawNamedPoints(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                     const Drawing& drawing) {
  const FigureColors& colors = figureColors(style.theme);
  const double radius = style.type / 13 * kDotRadius;
  NamedPoints places(box, style.type);
  std::vector<std::pair<const NamedPoint*, Point>> seen;
  for (const NamedPoint& point : mark.named) {
    const Point at = placeOf(mark, box, point.at);
    if (!(at.x >= box.x && at.x <= box.right() && at.y >= box.y && at.y <= box.bottom()))
      continue;
    drawing.list.add(Discs{
        {at}, radius, point.hue ? colors.series[*point.hue % colors.series.size()] : colors.text});
    places.keepClear(at, radius);
    seen.emplace_back(&point, at);
  }
  for (const Curve& curve : mark.curves)
    for (std::size_t k = 1; k < curve.points.size(); ++k)
      places.avoid(placeOf(mark, box, curve.points[k - 1]), placeOf(mark, box, curve.points[k]));
  // Those with a hue of their own are what the picture is about.
  std::stable_partition(seen.begin(), seen.end(),
                        [](const auto& named) { return named.first->hue.has_value(); });
  for (const auto& [point, at] : seen) {
    const double width = drawing.measure(point->label, style.type, false);
    const auto place = places.placeFor(at, width);
    if (!place)
      continue;
    if (!place->near)
      drawing.list.add(Polyline{{at, place->from}, colors.frame, 0.75});
    const Box& room = place->room;
    drawing.list.add(Text{{room.x, room.y + room.height / 2 + 0.35 * style.type},
                          point->label,
                          style.type,
                          colors.text,
                          TextAlign::Left});
  }
}

} // namespace attention
