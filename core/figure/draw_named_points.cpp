#include "core/figure/draw_named_points.h"

#include "core/figure/draw_curves.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace attention {
namespace {

constexpr double kDotRadius = 3.6; // pixels at 13 pixels of type
constexpr double kGap = 0.55;      // sizes of type between a dot and its words
constexpr int kMostSteps = 4;      // lines that words go up or down to find room
constexpr int kNearSteps = 1;      // beyond these a thin line leads from the dot to its words

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

  struct Place {
    Box room;
    Point from; // the end of the line that leads to the dot
    bool near;
  };

  // Where words of that width stand beside a dot: right and below, then on the other sides, then
  // further up and down; nowhere if all is taken.
  std::optional<Place> placeFor(const Point& at, double width) {
    const double line = kLineHeight * type_;
    for (int step = 0; step <= kMostSteps; ++step)
      for (const double down : {1.0, -1.0})
        for (const bool right : {true, false}) {
          const double x = right ? at.x + kGap * type_ : at.x - kGap * type_ - width;
          const double middle = at.y + down * (0.6 + static_cast<double>(step)) * line;
          const Box room{x, middle - line / 2, width, line};
          if (fits(room)) {
            taken_.push_back(room);
            return Place{room, {right ? x : x + width, middle}, step <= kNearSteps};
          }
        }
    return std::nullopt;
  }

private:
  bool fits(const Box& room) const {
    return room.x >= box_.x && room.right() <= box_.right() && room.y >= box_.y &&
           room.bottom() <= box_.bottom() &&
           std::none_of(taken_.begin(), taken_.end(),
                        [&](const Box& other) { return meet(room, other); });
  }

  const Box& box_;
  double type_;
  std::vector<Box> taken_;
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
