#include "core/figure/draw_diagram.h"

#include "core/figure/text_fit.h"

namespace attention {
namespace {

constexpr double kTint = 0.28;      // of a box's hue, on the ground
constexpr double kNameGap = 0.45;   // between a box and its words, in sizes of type
constexpr double kFrameWidth = 1.2; // pixels at 13 pixels of type

class DiagramPainter {
public:
  DiagramPainter(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing)
      : mark_(mark), box_(box), type_(style.type), drawing_(drawing),
        colors_(figureColors(style.theme)) {}

  void run() {
    for (const Box& group : mark_.groups)
      drawGroup(placeOf(mark_, box_, group));
    for (const DiagramBox& of : mark_.boxes)
      drawBox(of, placeOf(mark_, box_, of.box));
    for (const DiagramText& text : mark_.texts)
      drawText(text);
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }
  void addText(Point at, const std::string& text, const Color& color, TextAlign align, bool bold) {
    if (!text.empty())
      add(Text{at, text, type_, color, align, bold, false});
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
    const Box at = placeOf(mark_, box_, {text.at.x, text.at.y, 0, 0});
    const double room = text.align == TextAlign::Left ? box_.right() - at.x : box_.width;
    addText({at.x, at.y + 0.35 * type_},
            fitted(text.text, room, {type_, text.bold}, drawing_.measure),
            text.dim ? colors_.dim : colors_.text, text.align, text.bold);
  }

  const DiagramMark& mark_;
  Box box_;
  double type_;
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
