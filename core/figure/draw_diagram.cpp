#include "core/figure/draw_diagram.h"

#include "core/figure/plot_margins.h"
#include "core/figure/text_fit.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr double kTint = 0.28;       // of a box's hue, on the ground
constexpr double kNameGap = 0.45;    // between a box and its words, in sizes of type
constexpr double kFrameWidth = 1.2;  // pixels at 13 pixels of type
constexpr double kHeadLength = 0.45; // of an arrow, in sizes of type
constexpr double kLeastYielding =
    2; // room for words that yield, in sizes of type: less says nothing
constexpr double kHeadAngle = 0.45; // radians to either side

class DiagramPainter {
public:
  DiagramPainter(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing)
      : mark_(mark), box_(box), type_(style.type), room_(std::max(style.room, box.width)),
        drawing_(drawing), colors_(figureColors(style.theme)) {}

  void run() {
    for (const DiagramFill& fill : mark_.fills)
      drawFill(fill);
    for (const Box& group : mark_.groups)
      drawGroup(attention::placeOf(mark_, box_, group));
    for (const DiagramLine& line : mark_.lines)
      drawLine(line);
    for (const DiagramDot& dot : mark_.dots)
      add(Discs{{placeOf(dot.at)},
                dot.radius * type_ / 13,
                dot.hue ? hueOf(*dot.hue, 1) : colors_.query});
    for (const DiagramBox& of : mark_.boxes)
      drawBox(of, attention::placeOf(mark_, box_, of.box));
    for (const DiagramText& text : mark_.texts)
      drawText(text);
    drawFoot();
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }
  void addText(Point at, const std::string& text, const Color& color, TextAlign align, bool bold) {
    if (!text.empty())
      add(Text{at, text, type_, color, align, bold, false});
  }

  Color hueOf(std::size_t hue, double share) const {
    return mix(colors_.ground, colors_.series[hue % colors_.series.size()], share);
  }
  Point placeOf(const Point& at) const {
    const Box box = attention::placeOf(mark_, box_, {at.x, at.y, 0, 0});
    return {box.x, box.y};
  }

  void drawFill(const DiagramFill& fill) {
    const double unit = box_.width / mark_.width;
    if (!fill.boxes.empty())
      add(FillBoxes{fill.boxes, hueOf(fill.hue, fill.share), {box_.x, box_.y}, {unit, unit}});
  }

  void drawLine(const DiagramLine& line) {
    Polyline drawn{{},
                   line.hue ? hueOf(*line.hue, line.share) : colors_.frame,
                   line.width * type_ / 13,
                   line.dash};
    for (const Point& point : line.points)
      drawn.points.push_back(placeOf(point));
    if (line.arrow && drawn.points.size() > 1)
      drawHead(drawn);
    add(std::move(drawn));
  }

  // Two strokes back from the end of a line.
  void drawHead(const Polyline& line) {
    const Point& tip = line.points.back();
    const Point& from = line.points[line.points.size() - 2];
    const double back = std::atan2(from.y - tip.y, from.x - tip.x);
    const auto stroke = [&](double turn) {
      return Point{tip.x + kHeadLength * type_ * std::cos(back + turn),
                   tip.y + kHeadLength * type_ * std::sin(back + turn)};
    };
    add(Polyline{{stroke(-kHeadAngle), tip, stroke(kHeadAngle)}, line.color, line.width});
  }

  void drawGroup(const Box& at) {
    add(Polyline{{{at.x, at.y},
                  {at.right(), at.y},
                  {at.right(), at.bottom()},
                  {at.x, at.bottom()},
                  {at.x, at.y}},
                 colors_.frame,
                 kFrameWidth * type_ / 13,
                 Dash::Dashed});
  }

  void drawBox(const DiagramBox& of, const Box& at) {
    const Color& hue = colors_.series[of.hue % colors_.series.size()];
    add(FillBoxes{{at}, mix(colors_.ground, hue, kTint), {}, {1, 1}});
    add(StrokeBox{at, hue, kFrameWidth * type_ / 13});
    const double middle = at.x + at.width / 2;
    addText({middle, at.y - kNameGap * type_}, of.name, colors_.text, TextAlign::Center, true);
    addText({middle, at.bottom() + (kNameGap + 0.75) * type_}, of.shape, colors_.dim,
            TextAlign::Center, false);
  }

  void drawText(const DiagramText& text) {
    const Point at = placeOf(text.at);
    const double given = text.room * box_.width / mark_.width;
    if (text.room > 0 && drawing_.measure(text.text, type_, text.bold) > given)
      return;
    const double room = text.align == TextAlign::Left ? box_.right() - at.x : box_.width;
    if (text.yields && room < kLeastYielding * type_)
      return;
    if (text.yields && !takes({at.x, at.y - kLineHeight * type_ / 2, room, kLineHeight * type_}))
      return;
    const Color& color = text.onHue ? colors_.ground : text.dim ? colors_.dim : colors_.text;
    addText({at.x, at.y + 0.35 * type_},
            fitted(text.text, room, {type_, text.bold}, drawing_.measure), color, text.align,
            text.bold);
  }

  // Whether a box is free of the others; then it is taken.
  bool takes(const Box& box) {
    for (const Box& other : taken_)
      if (box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
          other.y < box.bottom())
        return false;
    taken_.push_back(box);
    return true;
  }

  void drawFoot() {
    if (mark_.foot.forms.empty())
      return;
    std::string words = mark_.foot.forms.back();
    for (const std::string& form : mark_.foot.forms)
      if (drawing_.measure(form, type_, mark_.foot.bold) <= room_) {
        words = form;
        break;
      }
    addText({box_.x + box_.width / 2, box_.bottom() + kDiagramFoot * type_ - 0.3 * type_},
            fitted(words, room_, {type_, mark_.foot.bold}, drawing_.measure), colors_.text,
            TextAlign::Center, mark_.foot.bold);
  }

  const DiagramMark& mark_;
  Box box_;
  double type_;
  double room_;            // for the foot
  std::vector<Box> taken_; // by words that yield
  const Drawing& drawing_;
  const FigureColors& colors_;
};

} // namespace

void drawDiagram(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing) {
  DiagramPainter(mark, box, style, drawing).run();
}

Box placeOf(const DiagramMark& mark, const Box& box, const Box& inUnits) {
  const double unit = box.width / mark.width;
  return {box.x + unit * inUnits.x, box.y + unit * inUnits.y, unit * inUnits.width,
          unit * inUnits.height};
}

} // namespace attention
