#include "core/plot/draw_marks.h"

#include "core/plot/label_places.h"
#include "core/plot/plane.h"
#include "core/plot/plot_margins.h"
#include "core/plot/ticks.h"
#include "core/support/number_text.h"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

constexpr std::uint8_t kBandOpacity = 48;
constexpr double kLeastLabelLine = 1.1; // from line to line of the labels of curves
constexpr double kAboveNumbers = 0.3;   // that these stay above the lower end of their plot
constexpr double kLeastForWords = 5;    // lines of height that leave room for words beside uprights
constexpr double kCurveWidth = 1.8;     // pixels at 13 pixels of type, as all that follow
constexpr double kThinWidth = 1.1;
constexpr double kHaloWidth = 3.5;
constexpr double kDotRadius = 2.8;
constexpr double kMarkerRadius = 3.6; // with room for a shape
constexpr std::size_t kMostDots = 64; // of a curve: with more it is a smooth one
constexpr double kGreyShare = 0.6;    // of dim, for bars in no hue
constexpr double kSingleShare = 0.35; // of its hue, for single values
constexpr double kRangeShare = 0.4;   // share of its hue over the range of a column's bars

// A curve's words, and where it ends.
struct EndLabel {
  const Curve* curve;
  Point end; // of the curve
  double at; // of the words' middle
};

class CurvePainter {
public:
  CurvePainter(const CurvesMark& mark, const Box& box, const PlotStyle& style,
               const Drawing& drawing)
      : mark_(mark), box_(box), type_(style.type), names_(style.names), across_(style.across),
        right_(style.right), theme_(style.theme), drawing_(drawing),
        colors_(figureColors(style.theme)), scale_(style.type / 13) {}

  void run() {
    drawAcross();
    drawUp();
    drawField();
    for (const Curve& curve : mark_.curves)
      drawBands(curve);
    for (const Curve& curve : mark_.curves)
      drawBars(curve);
    drawUprights();
    add(StrokeBox{box_, colors_.frame, 1});
    // Data lie on top of what they are compared with, the first curve topmost.
    for (const CurveKind kind : {CurveKind::Single, CurveKind::Level, CurveKind::Theory,
                                 CurveKind::Data, CurveKind::Points})
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
    if (curve.hue == kGreyHue)
      return mix(colors_.ground, colors_.dim, kGreyShare);
    const Color& hue = colors_.series[curve.hue % colors_.series.size()];
    if (curve.kind == CurveKind::Single)
      return mix(colors_.ground, hue, kSingleShare);
    return curve.kind == CurveKind::Level ? colors_.dim : hue;
  }

  void drawAcross() {
    for (const NumberTick& tick : ticksAcross(mark_.x, box_.width, type_, drawing_.measure)) {
      const double x = box_.x + shareOf(mark_.x, tick.at) * box_.width;
      if (!mark_.x.cells) // whose ticks are in their middles
        add(Polyline{{{x, box_.y}, {x, box_.bottom()}}, colors_.line, 1});
      if (across_)
        addText({x, box_.bottom() + (kTickGap + 0.8) * type_}, tick.text, colors_.dim,
                TextAlign::Center);
    }
    if (!across_)
      return;
    const std::string label =
        axisName(nameAcross(), box_.width + kBeyondAxis * type_, {type_, false}, drawing_.measure);
    addText({box_.x + box_.width / 2,
             box_.bottom() + (kTickGap + 0.8 + kAxisLabelLine * kLineHeight) * type_},
            label, colors_.dim, TextAlign::Center);
  }

  // "query i, 7 per column": how many bars share a column.
  std::string nameAcross() const {
    const Index bars = barsPerColumn(mark_, box_);
    return mark_.x.label.empty() || bars == 1
               ? mark_.x.label
               : mark_.x.label + ", " + groupedDigits(bars) + " per column";
  }

  void drawUp() {
    double widest = 0;
    for (const NumberTick& tick : ticksUp(mark_.y, box_.height, type_)) {
      const double y = box_.bottom() - shareOf(mark_.y, tick.at) * box_.height;
      if (!mark_.y.cells)
        add(Polyline{{{box_.x, y}, {box_.right(), y}}, colors_.line, 1});
      addText({box_.x - kTickGap * type_, y + 0.35 * type_}, tick.text, colors_.dim,
              TextAlign::Right);
      widest = std::max(widest, drawing_.measure(tick.text, type_, false));
    }
    const std::string label =
        axisName(mark_.y.label, nameRoomUp(box_.height, type_), {type_, false}, drawing_.measure);
    addText({box_.x - (kTickGap + 0.5) * type_ - widest, box_.y + box_.height / 2}, label,
            colors_.dim, TextAlign::Center, /*upwards=*/true);
  }

  void drawField() {
    if (!mark_.field)
      return;
    const Field& field = *mark_.field;
    addPicture(box_, field.values, {field.ramp, field.top, theme_},
               needsPixels(box_, *field.values, drawing_.options), drawing_);
  }

  // A column of several bars is solid as far as all of them reach, and light as far as any does.
  void drawBars(const Curve& curve) {
    if (curve.kind != CurveKind::Bars || curve.points.empty())
      return;
    BarBoxes bars = barBoxes(mark_, box_, curve);
    const Color color = colorOf(curve);
    add(FillBoxes{std::move(bars.solid), color, {}, {1, 1}});
    if (!bars.light.empty())
      add(FillBoxes{std::move(bars.light), mix(colors_.ground, color, kRangeShare), {}, {1, 1}});
  }

  // Words of each on a line of their own, from the top down.
  void drawUprights() {
    if (mark_.uprights.empty())
      return;
    LabelPlaces places(box_, type_);
    for (const Curve& curve : mark_.curves)
      for (std::size_t k = 1; k < curve.points.size() && curve.kind != CurveKind::Bars; ++k)
        places.avoid(placeOf(mark_, box_, curve.points[k - 1]),
                     placeOf(mark_, box_, curve.points[k]));
    double y = box_.y + 1.2 * type_;
    for (const Upright& upright : mark_.uprights) {
      const double x = placeOf(mark_, box_, {upright.x, 0}).x;
      if (!(x >= box_.x && x <= box_.right()))
        continue;
      add(Polyline{{{x, box_.y}, {x, box_.bottom()}}, colors_.dim, scale_, Dash::Dashed});
      if (box_.height < kLeastForWords * kLineHeight * type_)
        continue; // they would lie on the curves
      y = drawUprightWords(upright, {x, y}, places) + kLineHeight * type_;
    }
  }

  // Right or left of the line, as far down as curves force them; returns the baseline. Where curves
  // are everywhere, the line goes without words, which would be unreadable on them.
  double drawUprightWords(const Upright& upright, const Point& from, const LabelPlaces& places) {
    const double wide = drawing_.measure(upright.label, type_, false) + type_;
    const bool crossed =
        std::any_of(mark_.uprights.begin(), mark_.uprights.end(), [&](const Upright& other) {
          const double at = placeOf(mark_, box_, {other.x, 0}).x;
          return at > from.x && at < from.x + wide;
        });
    const bool fitsRight = !crossed && from.x + wide <= box_.right();
    const auto draw = [&](bool left, double y) {
      addText({from.x + (left ? -0.4 : 0.4) * type_, y}, upright.label, colors_.dim,
              left ? TextAlign::Right : TextAlign::Left);
      uprightWords_.push_back({left ? from.x - wide : from.x, y - type_, wide, 1.3 * type_});
      return y;
    };
    for (double y = from.y; y < box_.bottom() - type_ / 2; y += type_ / 2)
      for (const bool left : {false, true}) {
        const Box room{left ? from.x - wide : from.x, y - type_, wide, 1.3 * type_};
        if ((left ? room.x >= box_.x : fitsRight) && !places.crossed(room))
          return draw(left, y);
      }
    return from.y - kLineHeight * type_;
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

  void drawSquares(const Curve& curve) {
    const double side = 2.6 * scale_ * kDotRadius;
    for (const Point& p : placed(curve))
      if (inside(p))
        add(StrokeBox{{p.x - side / 2, p.y - side / 2, side, side}, colorOf(curve), 1.5 * scale_});
  }

  void drawLine(const Curve& curve) {
    if (curve.kind == CurveKind::Points)
      return drawSquares(curve);
    const std::vector<Point> points = placed(curve);
    const double width = scale_ * (curve.kind == CurveKind::Data ? kCurveWidth : kThinWidth);
    if (curve.kind == CurveKind::Level && hasFilled())
      for (auto& piece : insideBox(points, box_)) // a halo
        add(Polyline{std::move(piece), colors_.ground, kHaloWidth * scale_});
    for (auto& piece : insideBox(points, box_))
      add(Polyline{std::move(piece), colorOf(curve), width, curve.dash});
    if (curve.kind != CurveKind::Data || points.size() > kMostDots)
      return;
    Markers dots{{},
                 scale_ * (curve.marker ? kMarkerRadius : kDotRadius),
                 colorOf(curve),
                 curve.marker.value_or(Marker{})};
    std::copy_if(points.begin(), points.end(), std::back_inserter(dots.centres),
                 [&](const Point& p) { return inside(p); });
    if (!dots.centres.empty())
      add(std::move(dots));
  }

  // Bars, or a field: a thin grey line is hard to see on them.
  bool hasFilled() const { return mark_.field || hasBars(mark_); }

  bool inside(const Point& p) const {
    return p.x >= box_.x - 0.5 && p.x <= box_.right() + 0.5 && p.y >= box_.y - 0.5 &&
           p.y <= box_.bottom() + 0.5;
  }

  // Where the curve leaves the picture on the right; nothing if it is never in it.
  std::optional<Point> endOf(const Curve& curve) const {
    const std::vector<Point> points = placed(curve);
    const auto pieces = insideBox(points, box_);
    if (!pieces.empty())
      return pieces.back().back();
    const auto last =
        std::find_if(points.rbegin(), points.rend(), [&](const Point& p) { return inside(p); });
    return last == points.rend() ? std::nullopt : std::optional(*last);
  }

  std::vector<EndLabel> endLabels() const {
    std::vector<EndLabel> labels;
    for (const Curve& curve : mark_.curves)
      if (const auto end = endOf(curve);
          end && !curve.label.empty() && curve.kind != CurveKind::Bars)
        labels.push_back({&curve, *end, end->y});
    std::stable_sort(labels.begin(), labels.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.end.y < b.end.y; });
    return labels;
  }

  // Pushes words apart: down where they would touch, then back up from the lower end.
  void spread(std::vector<EndLabel>& labels) const {
    if (labels.empty())
      return;
    const auto count = static_cast<double>(labels.size());
    const double line =
        std::clamp((box_.height + type_) / count, kLeastLabelLine * type_, kLineHeight * type_);
    // Keeps off the last number of the x axis, which may reach below them. Beside a plot too low
    // for them, they extend beyond it, upwards first.
    const double bottom = box_.bottom() - (across_ ? kAboveNumbers * type_ : 0);
    const double all = (count - 1) * line;
    const double top = box_.y - std::clamp(all - (bottom - box_.y), 0.0, type_ / 2);
    double least = top;
    for (EndLabel& label : labels) {
      label.at = std::max(label.at, least);
      least = label.at + line;
    }
    double most = std::max(bottom, top + all);
    for (std::size_t k = labels.size(); k-- > 0;) {
      labels[k].at = std::min(labels[k].at, most);
      most = labels[k].at - line;
    }
  }

  // The curve's name; where it does not fit, its brief label or a shorter one (shortName) if no
  // other curve has that name, or else cut.
  std::string shownName(const Curve& curve) const {
    const Type face{type_, curve.kind == CurveKind::Data};
    const auto width = [&](const std::string& text) {
      return drawing_.measure(text, face.size, face.bold);
    };
    const double all = right_ - kCurveLabelGap * type_ + kSlack;
    Curve shown = curve;
    if (right_ <= 0 || width(nameOf(shown)) <= all)
      return nameOf(shown);
    shown.label.clear();
    const double room = all - width(nameOf(shown));
    shown.label = shortName(curve.briefly.empty() ? curve.label : curve.briefly, room, face,
                            drawing_.measure);
    const auto alike =
        std::count_if(mark_.curves.begin(), mark_.curves.end(),
                      [&](const Curve& other) { return other.label.starts_with(shown.label); });
    if (alike > 1 || shown.label.empty())
      shown.label = fitted(curve.label, room, face, drawing_.measure);
    return nameOf(shown);
  }

  bool endsEarly(const EndLabel& label) const { return label.end.x < box_.right() - type_; }

  // Off squares, and off lines and the words of uprights where there is another place.
  LabelPlaces placesBeside() const {
    LabelPlaces places(box_, type_);
    for (const Curve& curve : mark_.curves) {
      const std::vector<Point> points = placed(curve);
      for (std::size_t k = 0; k < points.size(); ++k)
        if (curve.kind == CurveKind::Points)
          places.keepClear(points[k], 1.3 * scale_ * kDotRadius);
        else if (k > 0)
          places.avoid(points[k - 1], points[k]);
    }
    for (const Upright& upright : mark_.uprights) {
      const double x = placeOf(mark_, box_, {upright.x, 0}).x;
      places.avoid({x, box_.y}, {x, box_.bottom()});
    }
    for (const Box& words : uprightWords_)
      for (const double share : {0.0, 0.5, 1.0})
        places.avoid({words.x, words.y + share * words.height},
                     {words.right(), words.y + share * words.height});
    return places;
  }

  // The name of squares beside the last of them: they have no line, and one across the picture
  // would look like theirs. Whether it has a place.
  bool drawBeside(const EndLabel& label) {
    const std::string& name = label.curve->label;
    const auto place = placesBeside().placeForFew(label.end, drawing_.measure(name, type_, false));
    if (!place || std::any_of(uprightWords_.begin(), uprightWords_.end(),
                              [&](const Box& words) { return meet(words, place->room); }))
      return false;
    const Color color = colorOf(*label.curve);
    if (place->led)
      add(Polyline{{label.end, place->from}, color, scale_});
    addText({place->room.x, place->room.y + place->room.height / 2 + 0.35 * type_}, name,
            readable(color, colors_.ground), TextAlign::Left);
    return true;
  }

  // Where the longest of the curves ends, if their names fit beside it: curves that still grow. A
  // line from each to the edge would look like its course.
  std::optional<double> growsTo(const std::vector<EndLabel>& labels) const {
    double end = box_.x;
    double width = 0;
    for (const EndLabel& label : labels)
      if (label.curve->kind == CurveKind::Data) {
        end = std::max(end, label.end.x);
        width = std::max(width, drawing_.measure(shownName(*label.curve), type_, true));
      }
    const bool fits = end + 2 * kCurveLabelGap * type_ + width < box_.right();
    return fits && width > 0 ? std::optional(end) : std::nullopt;
  }

  void drawLabels() {
    if (!names_ && listsPoints(mark_)) // which names the curves too
      return;
    std::vector<EndLabel> labels = endLabels();
    std::erase_if(labels, [&](const EndLabel& label) {
      return label.curve->kind == CurveKind::Points && endsEarly(label) && drawBeside(label);
    });
    if (const auto end = growsTo(labels)) {
      const auto beyond =
          std::stable_partition(labels.begin(), labels.end(), [](const EndLabel& label) {
            return label.curve->kind == CurveKind::Data;
          });
      drawLabels({labels.begin(), beyond}, *end);
      labels.erase(labels.begin(), beyond);
    }
    drawLabels(std::move(labels), box_.right());
  }

  // Right of `edge`, each as near to its end as the others let it.
  void drawLabels(std::vector<EndLabel> labels, double edge) {
    spread(labels);
    for (const EndLabel& label : labels) {
      const Color color = colorOf(*label.curve);
      const double x = edge + kCurveLabelGap * type_;
      // A line to words that had to move, or a faint one from a curve that ends earlier: it is not
      // part of the curve.
      const bool early = label.end.x < edge - type_;
      if (early || std::abs(label.at - label.end.y) > type_ / 4)
        add(Polyline{{label.end, {x - 0.15 * type_, label.at}},
                     early ? mix(colors_.ground, color, 0.35) : color,
                     scale_});
      const bool bold = label.curve->kind == CurveKind::Data;
      addText({x, label.at + 0.35 * type_}, shownName(*label.curve),
              readable(color, colors_.ground), TextAlign::Left, false, bold);
    }
  }

  const CurvesMark& mark_;
  Box box_;
  double type_;
  bool names_;
  bool across_;  // whether the x axis has numbers and a name
  double right_; // for words; 0: what they take
  FigureTheme theme_;
  const Drawing& drawing_;
  const FigureColors& colors_;
  double scale_;
  std::vector<Box> uprightWords_; // their rooms
};

} // namespace

void drawCurves(const CurvesMark& mark, const Box& box, const PlotStyle& style,
                const Drawing& drawing) {
  CurvePainter(mark, box, style, drawing).run();
  drawNamedPoints(mark, box, style, drawing);
}

Point placeOf(const CurvesMark& mark, const Box& box, const Point& point) {
  return {box.x + shareOf(mark.x, point.x) * box.width,
          box.bottom() - shareOf(mark.y, point.y) * box.height};
}

} // namespace attention
