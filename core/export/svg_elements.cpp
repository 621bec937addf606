#include "core/export/svg_elements.h"

#include "core/export/encoded_picture.h"
#include "core/export/packed_bytes.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace attention {
namespace {

using Pair = PageColors::Pair;

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + '"';
}
std::string attribute(const char* name, double value) {
  return attribute(name, svgNumber(value));
}

std::string place(const Point& p) {
  return svgNumber(p.x) + ' ' + svgNumber(p.y);
}

std::string pathThrough(const std::vector<Point>& points) {
  std::string path;
  for (const Point& point : points)
    path += (path.empty() ? "M" : "L") + place(point);
  return path;
}

std::string boxAttributes(const Box& box) {
  return attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.width) +
         attribute("height", box.height);
}

class Elements {
public:
  Elements(PageColors& colors, const TextMeasure& measure) : colors_(colors), measure_(measure) {}

  std::string operator()(const FillBoxes& a, const FillBoxes& b) const {
    std::string path;
    for (const Box& box : a.boxes) {
      const std::string width = svgNumber(box.width);
      path.append("M").append(place({box.x, box.y}));
      path.append("h").append(width).append("v").append(svgNumber(box.height));
      path.append("h-").append(width).append("z");
    }
    return "<path" + fill({a.color, b.color}) +
           attribute("transform", "translate(" + place(a.origin) + ") scale(" +
                                      shortest(a.unit.width) + ' ' + shortest(a.unit.height) +
                                      ')') +
           attribute("d", path) + "/>";
  }

  std::string operator()(const StrokeBox& a, const StrokeBox& b) const {
    return "<rect" + stroke({a.color, b.color}, a.width) + boxAttributes(a.box) + "/>";
  }

  std::string operator()(const Polyline& a, const Polyline& b) const {
    return lookOf(a, b) + attribute("d", pathThrough(a.points)) + "/>";
  }
  // The element of a line up to its path.
  std::string lookOf(const Polyline& a, const Polyline& b) const {
    std::string dashes;
    for (const double length : dashLengths(a.dash))
      dashes += (dashes.empty() ? "" : " ") + svgNumber(length * a.width);
    return "<path" + stroke({a.color, b.color}, a.width) +
           (dashes.empty() ? "" : attribute("stroke-dasharray", dashes));
  }

  std::string operator()(const Strip& a, const Strip& b) const {
    std::vector<Point> around = a.above;
    around.insert(around.end(), a.below.rbegin(), a.below.rend());
    return "<path" + fill({a.color, b.color}) + attribute("d", pathThrough(around) + 'z') + "/>";
  }

  std::string operator()(const Markers& a, const Markers& b) const {
    std::string path;
    for (const Point& centre : a.centres)
      path += outlineOf(a.marker.shape, centre, a.radius);
    const Pair colors{a.color, b.color};
    return "<path" + (a.marker.hollow ? stroke(colors, kOutline * a.radius) : fill(colors)) +
           attribute("d", path) + "/>";
  }

  std::string operator()(const Text& a, const Text& b) const {
    static constexpr const char* kAnchors[] = {"start", "middle", "end"};
    std::string element = "<text" + fill({a.color, b.color}) + attribute("x", a.at.x) +
                          attribute("y", a.at.y) + attribute("font-size", a.size);
    if (a.align != TextAlign::Left)
      element += attribute("text-anchor", kAnchors[static_cast<int>(a.align)]);
    if (a.bold)
      element += attribute("font-weight", std::string("bold"));
    if (a.upwards)
      element += attribute("transform", "rotate(-90 " + place(a.at) + ')');
    // The reader's fonts are wider or narrower; the words keep the room that they were given.
    if (a.text.size() > 1)
      element += attribute("textLength", measure_(a.text, a.size, a.bold)) +
                 attribute("lengthAdjust", std::string("spacingAndGlyphs"));
    return element + '>' + escapedMarkup(a.text) + "</text>";
  }

  std::string operator()(const Picture& a, const Picture& b) const {
    const auto element = [&](const std::string& png, const std::string& look) {
      return "<image" + (look.empty() ? "" : attribute("class", look)) + boxAttributes(a.box) +
             attribute("preserveAspectRatio", std::string("none")) +
             attribute("href", "data:image/png;base64," + base64(png)) + "/>";
    };
    const EncodedPicture of = encodedPicture(a, b);
    if (of.table)
      return element(of.first, 't' + std::to_string(colors_.classOf(*of.table)));
    if (!of.second)
      return element(of.first, "");
    return "<g>" + element(of.first, "light") + element(*of.second, "dark") + "</g>";
  }

private:
  std::string fill(const Pair& colors) const {
    return attribute("class", 'f' + std::to_string(colors_.classOf(colors)));
  }
  std::string stroke(const Pair& colors, double width) const {
    return attribute("class", 's' + std::to_string(colors_.classOf(colors)) + " w" +
                                  std::to_string(colors_.classOf(width)));
  }

  static std::string outlineOf(MarkerShape shape, const Point& centre, double radius) {
    const std::vector<Point> corners = cornersOf(shape, centre, radius);
    if (!corners.empty())
      return pathThrough(corners) + 'z';
    const std::string r = svgNumber(radius);
    const std::string half = 'a' + r + ' ' + r + " 0 1 0 ";
    return 'M' + place({centre.x - radius, centre.y}) + half + svgNumber(2 * radius) + " 0" + half +
           svgNumber(-2 * radius) + " 0z";
  }

  PageColors& colors_;
  const TextMeasure& measure_;
};

// Where a line lies: its heights, and its ends if it is one straight piece.
class LinePlace {
public:
  explicit LinePlace(const Polyline& line) : width_(line.width) {
    const auto [low, high] =
        std::minmax_element(line.points.begin(), line.points.end(),
                            [](const Point& a, const Point& b) { return a.y < b.y; });
    top_ = low->y - width_;
    bottom_ = high->y + width_;
    if (line.points.size() == 2)
      ends_ = {line.points.front(), line.points.back()};
  }

  double top() const { return top_; }
  double bottom() const { return bottom_; }
  double left() const { return ends_ ? ends_->first.x : 0; } // of its first end

  // Whether their paint may meet: not at other heights, nor beside each other from end to end.
  friend bool meet(const LinePlace& a, const LinePlace& b) {
    if (a.bottom_ <= b.top_ || b.bottom_ <= a.top_)
      return false;
    const bool sameHeights = a.ends_ && b.ends_ && a.ends_->first.y == b.ends_->first.y &&
                             a.ends_->second.y == b.ends_->second.y;
    if (!sameHeights)
      return true;
    const double first = a.ends_->first.x - b.ends_->first.x;
    const double second = a.ends_->second.x - b.ends_->second.x;
    const double least = 2 * std::max(a.across(), b.across());
    return !(first * second > 0 && std::abs(first) > least && std::abs(second) > least);
  }

private:
  // How wide it is along x; infinite where it lies flat.
  double across() const {
    const auto& [from, to] = *ends_;
    return width_ * std::hypot(1.0, (from.x - to.x) / std::abs(from.y - to.y));
  }

  double width_;
  double top_;
  double bottom_;
  std::optional<std::pair<Point, Point>> ends_;
};

// Lines that do not meet: at the same heights from left to right, or one below the other. A line
// that keeps clear of its neighbours on both sides does so of those beyond them, since these are
// clear of the neighbours: two comparisons are enough.
class LinesApart {
public:
  bool meets(const LinePlace& line) const {
    const auto below = bands_.lower_bound(line.bottom());
    if (below == bands_.begin())
      return false;
    const Band& band = std::prev(below)->second; // the lowest one that may be at its heights
    const auto right = band.upper_bound(line.left());
    return (right != band.end() && meet(line, right->second)) ||
           (right != band.begin() && meet(line, std::prev(right)->second));
  }
  void add(const LinePlace& line) { bands_[line.top()].emplace(line.left(), line); }

private:
  using Band = std::map<double, LinePlace>; // by where their first ends are
  std::map<double, Band> bands_;            // by their tops
};

// Lines one over the other whose colours differ at most in how much shines through: their order
// does not matter. Those of one look that do not meet become one path, so that no place is painted
// by it twice.
class LinesInAnyOrder {
public:
  bool takes(const Polyline& a, const Polyline& b) const {
    return paths_.empty() || (sameInk(a.color, light_) && sameInk(b.color, dark_));
  }
  void add(const Polyline& a, const Polyline& b, const std::string& look) {
    light_ = a.color;
    dark_ = b.color;
    const LinePlace place(a);
    std::vector<std::size_t>& alike = ofLook_[look];
    const auto free = std::find_if(alike.begin(), alike.end(),
                                   [&](std::size_t k) { return !paths_[k].places.meets(place); });
    const std::size_t k = free == alike.end() ? paths_.size() : *free;
    if (k == paths_.size()) {
      alike.push_back(k);
      paths_.push_back({look, {}, {}});
    }
    Path& path = paths_[k];
    path.places.add(place);
    path.path += pathThrough(a.points);
  }
  // Their elements; none are left.
  std::string take() {
    std::string text;
    for (const Path& path : paths_)
      text += path.look + attribute("d", path.path) + "/>\n";
    *this = {};
    return text;
  }

private:
  struct Path {
    std::string look;
    std::string path;
    LinesApart places;
  };
  static bool sameInk(const Color& a, const Color& b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
  }

  Color light_;
  Color dark_;
  std::vector<Path> paths_;
  std::map<std::string, std::vector<std::size_t>> ofLook_;
};

} // namespace

namespace {

// The place of `value`, which is added where it is not among them.
template <class T>
std::size_t placeIn(std::vector<T>& all, const T& value) {
  const auto found = std::find(all.begin(), all.end(), value);
  if (found != all.end())
    return static_cast<std::size_t>(found - all.begin());
  all.push_back(value);
  return all.size() - 1;
}

} // namespace

std::size_t PageColors::classOf(const Pair& pair) {
  return placeIn(pairs_, pair);
}

std::size_t PageColors::classOf(double width) {
  return placeIn(widths_, width);
}

std::size_t PageColors::classOf(const std::vector<LevelColors>& table) {
  return placeIn(tables_, table);
}

bool sameShape(const DisplayList& a, const DisplayList& b) {
  return std::equal(
      a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
      [](const Primitive2D& x, const Primitive2D& y) { return x.index() == y.index(); });
}

std::vector<std::string> svgElements(const DisplayList& light, const DisplayList& dark,
                                     PageColors& colors, const TextMeasure& measure) {
  const Elements element(colors, measure);
  std::vector<std::string> elements{element(FillBoxes{{{0, 0, 1, 1}}, light.ground, {}, light.size},
                                            FillBoxes{{{0, 0, 1, 1}}, dark.ground, {}, dark.size})};
  for (std::size_t k = 0; k < light.items.size(); ++k)
    elements.push_back(std::visit(
        [&](const auto& a) {
          return element(a, std::get<std::decay_t<decltype(a)>>(dark.items[k]));
        },
        light.items[k]));
  return elements;
}

std::string svgDrawing(const DisplayList& light, const DisplayList& dark, PageColors& colors,
                       const TextMeasure& measure, const Run& run) {
  const Elements element(colors, measure);
  const std::vector<std::string> each = svgElements(light, dark, colors, measure);
  std::string text = each.front() + "\n";
  LinesInAnyOrder lines;
  for (std::size_t k = 0; k < light.items.size(); ++k) {
    run.check();
    const auto* a = std::get_if<Polyline>(&light.items[k]);
    const auto* b = std::get_if<Polyline>(&dark.items[k]);
    if (!a || a->points.empty()) {
      text += lines.take() + each[k + 1] + "\n";
      continue;
    }
    if (!lines.takes(*a, *b))
      text += lines.take();
    lines.add(*a, *b, element.lookOf(*a, *b));
  }
  return text + lines.take();
}

std::string svgNumber(double value) {
  std::string text = fixed(value, 2);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.'))
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escapedMarkup(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

} // namespace attention
