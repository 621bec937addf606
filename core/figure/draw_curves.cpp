#include "core/figure/draw_curves.h"

#include "core/figure/clip_curve.h"
#include "core/figure/plot_margins.h"
#include "core/figure/ticks.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr std::uint8_t kBandOpacity = 48;
constexpr double kCurveWidth = 1.8; // pixels at 13 pixels of type, as all that follow
constexpr double kThinWidth = 1.1;
constexpr double kDotRadius = 2.8;

// A curve's words, and the height at which it ends.
struct EndLabel {
  const Curve* curve;
  double end; // of the curve
  double at;  // of the words' middle
};

class CurvePainter {
public:
  CurvePainter(const CurvesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), type_(style.type), drawing_(drawing),
        colors_(figureColors(style.theme)), scale_(style.type / 13) {}

  void run() {
    drawAcross();
    drawUp();
    for (const Curve& curve : mark_.curves)
      drawBands(curve);
    add(StrokeBox{box_, colors_.frame, 1});
    // Data lie over what they are compared with, the first curve on top.
    for (const CurveKind kind : {CurveKind::Level, CurveKind::Theory, CurveKind::Data})
      for (std::size_t k = mark_.curves.size(); k-- > 0;)
        if (mark_.curves[k].kind == kind)
          drawLine(mark_.curves[k]);
    drawLabels();
  }

private:
  void add(auto primitive) { drawing_.list.add(std::move(primitive)); }

  void addText(Point at, const std::string& text, const Color& color, TextAlign align,
               bool upwards = false, bool bold = false) {
    if (!text.empty())
      add(Text{at, text, type_, color, align, bold, upwards});
  }

  Color colorOf(const Curve& curve) const {
    return curve.kind == CurveKind::Level ? colors_.dim
                                          : colors_.series[curve.hue % colors_.series.size()];
  }

  void drawAcross() {
    for (const NumberTick& tick : ticksAcross(mark_.x, box_.width, type_, drawing_.measure)) {
      const double x = box_.x + shareOf(mark_.x, tick.at) * box_.width;
      add(Polyline{{{x, box_.y}, {x, box_.bottom()}}, colors_.line, 1});
      addText({x, box_.bottom() + (kTickGap + 0.8) * type_}, tick.text, colors_.dim,
              TextAlign::Center);
    }
    const std::string label = fitted(mark_.x.label, box_.width, {type_, false}, drawing_.measure);
    addText({box_.x + box_.width / 2,
             box_.bottom() + (kTickGap + 0.8 + kAxisLabelLine * kLineHeight) * type_},
            label, colors_.dim, TextAlign::Center);
  }

  void drawUp() {
    double widest = 0;
    for (const NumberTick& tick : ticksUp(mark_.y, box_.height, type_)) {
      const double y = box_.bottom() - shareOf(mark_.y, tick.at) * box_.height;
      add(Polyline{{{box_.x, y}, {box_.right(), y}}, colors_.line, 1});
      addText({box_.x - kTickGap * type_, y + 0.35 * type_}, tick.text, colors_.dim,
              TextAlign::Right);
      widest = std::max(widest, drawing_.measure(tick.text, type_, false));
    }
    const std::string label = fitted(mark_.y.label, box_.height, {type_, false}, drawing_.measure);
    addText({box_.x - (kTickGap + 0.5) * type_ - widest, box_.y + box_.height / 2}, label,
            colors_.dim, TextAlign::Center, /*upwards=*/true);
  }

  std::vector<Point> placed(const Curve& curve) const {
    std::vector<Point> points;
    for (const Point& point : curve.points)
      points.push_back(placeOf(mark_, box_, point));
    return points;
  }

  void drawBands(const Curve& curve) {
    if (curve.bands.size() != curve.points.size())
      return;
    Strip strip{{}, {}, colorOf(curve)};
    strip.color.a = kBandOpacity;
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      strip.above.push_back(placeOf(mark_, box_, {curve.points[k].x, curve.bands[k].high}));
      strip.below.push_back(placeOf(mark_, box_, {curve.points[k].x, curve.bands[k].low}));
    }
    for (Strip& piece : insideBox(strip, box_))
      add(std::move(piece));
  }

  void drawLine(const Curve& curve) {
    const std::vector<Point> points = placed(curve);
    const double width = scale_ * (curve.kind == CurveKind::Data ? kCurveWidth : kThinWidth);
    for (auto& piece : insideBox(points, box_))
      add(Polyline{std::move(piece), colorOf(curve), width, curve.dash});
    if (curve.kind != CurveKind::Data)
      return;
    Discs dots{{}, scale_ * kDotRadius, colorOf(curve)};
    std::copy_if(points.begin(), points.end(), std::back_inserter(dots.centres),
                 [&](const Point& p) { return inside(p); });
    if (!dots.centres.empty())
      add(std::move(dots));
  }

  bool inside(const Point& p) const {
    return p.x >= box_.x - 0.5 && p.x <= box_.right() + 0.5 && p.y >= box_.y - 0.5 &&
           p.y <= box_.bottom() + 0.5;
  }

  // Where the curve leaves the picture on the right; nothing where it is never in it.
  std::optional<double> endOf(const Curve& curve) const {
    const std::vector<Point> points = placed(curve);
    const auto pieces = insideBox(points, box_);
    if (!pieces.empty())
      return pieces.back().back().y;
    const auto last =
        std::find_if(points.rbegin(), points.rend(), [&](const Point& p) { return inside(p); });
    return last == points.rend() ? std::nullopt : std::optional(last->y);
  }

  std::vector<EndLabel> endLabels() const {
    std::vector<EndLabel> labels;
    for (const Curve& curve : mark_.curves)
      if (const auto end = endOf(curve); end && !curve.label.empty())
        labels.push_back({&curve, *end, *end});
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.end < b.end; });
    return labels;
  }

  // Pushes words apart: down where they would touch, then back up from the lower end.
  void spread(std::vector<EndLabel>& labels) const {
    if (labels.empty())
      return;
    const double line =
        std::min(kLineHeight * type_, (box_.height + type_) / static_cast<double>(labels.size()));
    double least = box_.y;
    for (EndLabel& label : labels) {
      label.at = std::max(label.at, least);
      least = label.at + line;
    }
    double most = box_.bottom();
    for (std::size_t k = labels.size(); k-- > 0;) {
      labels[k].at = std::min(labels[k].at, most);
      most = labels[k].at - line;
    }
  }

  void drawLabels() {
    std::vector<EndLabel> labels = endLabels();
    spread(labels);
    for (const EndLabel& label : labels) {
      const Color color = colorOf(*label.curve);
      const double x = box_.right() + kCurveLabelGap * type_;
      // A line to words that had to make room.
      if (std::abs(label.at - label.end) > type_ / 4)
        add(Polyline{{{box_.right(), label.end}, {x - 0.15 * type_, label.at}}, color, scale_});
      addText({x, label.at + 0.35 * type_}, label.curve->label, color, TextAlign::Left, false,
              /*bold=*/label.curve->kind == CurveKind::Data);
    }
  }

  const CurvesMark& mark_;
  Box box_;
  double type_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  double scale_;
};

} // namespace

void drawCurves(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                const Drawing& drawing) {
  CurvePainter(mark, box, style, drawing).run();
}

Point placeOf(const CurvesMark& mark, const Box& box, const Point& point) {
  return {box.x + shareOf(mark.x, point.x) * box.width,
          box.bottom() - shareOf(mark.y, point.y) * box.height};
}

} // namespace attention
