#include "core/plot/draw_marks.h"

#include "core/plot/plane.h"
#include "core/plot/plot_margins.h"
#include "core/plot/text_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace attention {
namespace {

constexpr double kTint = 0.28;       // of a box's hue, on the ground
constexpr double kNameGap = 0.45;    // between a box and its words, in sizes of type
constexpr double kFrameWidth = 1.2;  // pixels at 13 pixels of type
constexpr double kHeadLength = 0.45; // of an arrow, in sizes of type
constexpr double kLeastYielding =
    2; // room for words that yield, in sizes of type: less says nothing
constexpr double kHeadAngle = 0.45;   // radians to either side
constexpr double kLeastShrunk = 0.55; // of the type: smaller words are not read
constexpr double kOfLine = 0.82;      // of a line's height that type fills at most
constexpr int kMostAside = 16;        // steps of a quarter of the type
constexpr int kMostDown = 14;         // steps of a quarter of a line
constexpr double kLineInDiagram = 1.15;
constexpr double kBesideLetters = 0.9; // sizes of type for words beside the diagram
constexpr double kOffDot = 1.05;       // sizes of type from a dot to its name's middle

// "round " of "round 3"; empty if the words do not end with a number of their own.
std::string beforeNumber(const std::string& words) {
  const std::size_t last = words.find_last_not_of("0123456789");
  const bool numbered = last != std::string::npos && last + 1 < words.size() && words[last] == ' ';
  return numbered ? words.substr(0, last + 1) : std::string();
}

class DiagramPainter {
public:
  DiagramPainter(const DiagramMark& mark, const Box& box, const PlotStyle& style,
                 const Drawing& drawing)
      : mark_(mark), box_(box), type_(style.type), room_(std::max(style.room, box.width)),
        drawing_(drawing), theme_(style.theme), colors_(figureColors(style.theme)) {}

  void run() {
    for (const DiagramSize& size : mark_.sizes)
      sizes_.push_back(sizeOf(size));
    for (const DiagramRow& row : mark_.rows)
      drawRow(row);
    for (const DiagramFill& fill : mark_.fills)
      drawFill(fill);
    for (const Box& group : mark_.groups)
      drawGroup(attention::placeOf(mark_, box_, group));
    for (const DiagramLine& line : mark_.lines)
      drawLine(line);
    for (const DiagramDot& dot : mark_.dots)
      add(Markers{{placeOf(dot.at)},
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

  void drawRow(const DiagramRow& row) {
    Image image{static_cast<int>(row.cells.size()), 1, {}};
    for (const DiagramRow::Cell& cell : row.cells)
      image.pixels.push_back(hueOf(cell.hue, cell.share));
    addRow(attention::placeOf(mark_, box_, row.box), std::move(image), drawing_);
  }

  void drawFill(const DiagramFill& fill) {
    const double unit = box_.width / mark_.width;
    if (!fill.boxes.empty())
      add(FillBoxes{fill.boxes, colorOf(fill), {box_.x, box_.y}, {unit, unit}});
  }

  Color colorOf(const DiagramFill& fill) const {
    const Color color = hueOf(fill.hue, fill.share);
    switch (fill.words) {
    case WordsOn::Ground:
      return readable(color, colors_.ground);
    case WordsOn::Text:
      return readable(color, colors_.text);
    case WordsOn::Dim:
      return readable(color, colors_.dim);
    case WordsOn::Shade:
      return shade(colors_.series[fill.hue % colors_.series.size()], fill.share, theme_);
    case WordsOn::None:
      break;
    }
    return color;
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
    Point at = placeOf(text.at);
    if (text.size)
      return drawSized(text, at, sizes_[*text.size]);
    const double given = text.room * box_.width / mark_.width;
    const double taken = drawing_.measure(text.text, type_, text.bold);
    if (text.shrinks)
      return drawShrunk(text, at, std::min(typeInLine(text.line), type_ * given / taken));
    if (text.room > 0 && taken > given)
      return;
    // Words that yield may go on beside the diagram, which stands in the middle of its room.
    const double right = text.yields ? box_.x + (box_.width + room_) / 2 : box_.right();
    const double room = text.align == TextAlign::Left ? right - at.x : box_.width;
    if (text.aside)
      return drawAside(text, at);
    if (text.beside)
      return drawBeside(text, at);
    if (text.yields && room < kLeastYielding * type_)
      return;
    if (text.yields && !makesRoom(at, room))
      return;
    const Color& color = text.onHue ? colors_.ground : text.dim ? colors_.dim : colors_.text;
    addText({at.x, at.y + 0.35 * type_},
            fitted(text.text, room, {type_, text.bold}, drawing_.measure), color, text.align,
            text.bold);
  }

  // Where lines are closer than words can be read, these touch rather than being left out.
  double typeInLine(double line) const {
    const double most = kOfLine * line * box_.width / mark_.width;
    return line > 0 ? std::clamp(most, kLeastShrunk * type_, type_) : type_;
  }

  void drawShrunk(const DiagramText& text, const Point& at, double type) {
    if (type >= kLeastShrunk * type_)
      add(Text{{at.x, at.y + 0.35 * type},
               text.text,
               type,
               text.dim ? colors_.dim : colors_.text,
               text.align,
               text.bold,
               false});
  }

  struct FormSize {
    std::size_t form = 0;
    double type = 0;
  };

  FormSize sizeOf(const DiagramSize& size) const {
    const double unit = box_.width / mark_.width;
    const double most = std::min(kOfLine * size.line * unit, type_);
    FormSize made;
    for (std::size_t form = 0; form < size.forms.size(); ++form) {
      made = {form, most};
      for (const std::string& words : size.forms[form]) {
        const double taken = drawing_.measure(words, type_, size.bold);
        made.type = std::min(made.type, type_ * size.room * unit / std::max(taken, 1e-9));
      }
      if (made.type >= size.least * type_)
        break;
    }
    return made;
  }

  void drawSized(const DiagramText& text, const Point& at, const FormSize& size) {
    DiagramText words = text;
    if (size.form > 0 && !text.shorter.empty())
      words.text = text.shorter[std::min(size.form, text.shorter.size()) - 1];
    drawShrunk(words, at, size.type);
  }

  // Down to the next free line, if it is not far, nor below the diagram.
  bool makesRoom(Point& at, double room) {
    const double line = kLineInDiagram * type_;
    for (int k = 0; k <= kMostDown && (k == 0 || at.y + line / 2 <= box_.bottom());
         ++k, at.y += line / 4)
      if (takes({at.x, at.y - line / 2, room, line}))
        return true;
    return false;
  }

  // Words that differ only in the number at their end, as rounds do, show only that where lines are
  // too close for all.
  void drawBeside(const DiagramText& text, const Point& at) {
    const double left = box_.right() + kDiagramWordGap * type_;
    const auto write = [&](double x, const std::string& words, double line) {
      const double width = drawing_.measure(words, type_, text.bold);
      const auto lineOf = [&](double high) {
        return Box{x, at.y - high * type_ / 2, width, high * type_};
      };
      if (text.yields && !isFree(lineOf(line)))
        return false;
      if (text.yields)
        taken_.push_back(lineOf(kBesideLetters));
      addText({x, at.y + 0.35 * type_}, words, text.dim ? colors_.dim : colors_.text,
              TextAlign::Left, text.bold);
      return true;
    };
    const std::string lead = beforeNumber(text.text);
    const auto last = lead.empty() ? alone_.end() : alone_.find(lead);
    const bool again = last != alone_.end();
    if (!(again && last->second) && write(left, text.text, kLineInDiagram)) {
      alone_[lead] = false;
    } else if (again) {
      last->second = true;
      write(left + drawing_.measure(lead, type_, text.bold), text.text.substr(lead.size()),
            kBesideLetters);
    }
  }

  void drawAside(const DiagramText& text, Point at) {
    const double width = drawing_.measure(text.text, type_, text.bold);
    const auto boxAt = [&](const Point& p) {
      return Box{p.x - width / 2, p.y - type_ / 2, width, type_};
    };
    at = offDots(at);
    for (int k = 0; k < kMostAside && !isFree(boxAt(at)); ++k)
      at = {at.x + text.aside->x * type_ / 4, at.y + text.aside->y * type_ / 4};
    taken_.push_back(boxAt(at));
    addText({at.x, at.y + 0.35 * type_}, text.text, colors_.text, TextAlign::Center, text.bold);
  }

  // Away from the nearest dot, which it names, where the diagram is small.
  Point offDots(const Point& at) const {
    Point nearest = at;
    double least = kOffDot * type_;
    for (const DiagramDot& dot : mark_.dots) {
      const Point place = placeOf(dot.at);
      const double away = distance(at, place);
      if (away > 0 && away < least) {
        least = away;
        nearest = {place.x + (at.x - place.x) / away * kOffDot * type_,
                   place.y + (at.y - place.y) / away * kOffDot * type_};
      }
    }
    return nearest;
  }

  bool isFree(const Box& box) const {
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const Box& other) { return meet(box, other); });
  }

  // Whether a box is free of the others; then it is taken.
  bool takes(const Box& box) {
    if (!isFree(box))
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
    addText({box_.x + box_.width / 2, box_.bottom() + (mark_.around + kDiagramFoot - 0.3) * type_},
            fitted(words, room_, {type_, mark_.foot.bold}, drawing_.measure), colors_.text,
            TextAlign::Center, mark_.foot.bold);
  }

  const DiagramMark& mark_;
  Box box_;
  double type_;
  double room_;                 // of the width, for words
  std::vector<FormSize> sizes_; // of mark_.sizes
  std::vector<Box> taken_;      // by words that yield or move aside
  std::map<std::string, bool>
      alone_; // by what words beside begin with: whether numbers stand alone
  const Drawing& drawing_;
  FigureTheme theme_;
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

double leastType(const DiagramMark& mark, double width, double type) {
  double least = type;
  for (const DiagramText& text : mark.texts)
    if (text.shrinks && text.line > 0)
      least = std::min(least, kOfLine * text.line * width / mark.width);
  return least;
}

} // namespace attention
