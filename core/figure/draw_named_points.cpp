#include "core/figure/draw_named_points.h"

#include "core/figure/draw_curves.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <array>

namespace attention {
namespace {

constexpr double kDotRadius = 3.6; // pixels at 13 pixels of type
constexpr double kGap = 0.55;      // sizes of type between a dot and its words
constexpr int kMostSteps = 12;     // lines that words go up or down to find room

bool meet(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

class NamedPoints {
public:
  NamedPoints(const Box& box, double type) : box_(box), type_(type) {}

  // Where words of that width stand beside a dot: right and below, then on the other sides, then
  // further up and down.
  Box roomFor(const Point& at, double width) {
    const double line = kLineHeight * type_;
    Box room;
    for (int step = 0; step <= kMostSteps; ++step)
      for (const double down : {1.0, -1.0})
        for (const bool right : {true, false}) {
          const double x = right ? at.x + kGap * type_ : at.x - kGap * type_ - width;
          const double middle = at.y + down * (0.6 + static_cast<double>(step)) * line;
          room = {x, middle - line / 2, width, line};
          if (fits(room)) {
            taken_.push_back(room);
            return room;
          }
        }
    return room;
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
  const Color& color = figureColors(style.theme).text;
  NamedPoints places(box, style.type);
  for (const NamedPoint& point : mark.named) {
    const Point at = placeOf(mark, box, point.at);
    if (!(at.x >= box.x && at.x <= box.right() && at.y >= box.y && at.y <= box.bottom()))
      continue;
    drawing.list.add(Discs{{at}, style.type / 13 * kDotRadius, color});
    const double width = drawing.measure(point.label, style.type, false);
    const Box room = places.roomFor(at, width);
    drawing.list.add(Text{{room.x, room.y + room.height / 2 + 0.35 * style.type},
                          point.label,
                          style.type,
                          color,
                          TextAlign::Left});
  }
}

} // namespace attention
