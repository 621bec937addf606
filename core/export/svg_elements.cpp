#include "core/export/svg_elements.h"

#include "core/export/packed_bytes.h"
#include "core/export/png_file.h"
#include "core/support/text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

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

std::string pngAddress(const Image& image) {
  std::ostringstream stream;
  PngWriter png(stream, {image.width, image.height}, {});
  png.rows(image.pixels);
  png.finish();
  return "data:image/png;base64," + base64(stream.str());
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
    std::string dashes;
    for (const double length : dashLengths(a.dash))
      dashes += (dashes.empty() ? "" : " ") + svgNumber(length * a.width);
    return "<path" + stroke({a.color, b.color}, a.width) +
           (dashes.empty() ? "" : attribute("stroke-dasharray", dashes)) +
           attribute("d", pathThrough(a.points)) + "/>";
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
    const bool same = a.image == b.image || *a.image == *b.image;
    const auto element = [&](const Image& image, const char* theme) {
      return "<image" + (same ? "" : attribute("class", std::string(theme))) +
             boxAttributes(a.box) + attribute("preserveAspectRatio", std::string("none")) +
             attribute("href", pngAddress(image)) + "/>";
    };
    return same ? element(*a.image, "")
                : "<g>" + element(*a.image, "light") + element(*b.image, "dark") + "</g>";
  }

private:
  std::string fill(const Pair& colors) const {
    return attribute("class", 'f' + std::to_string(colors_.classOf(colors)));
  }
  std::string stroke(const Pair& colors, double width) const {
    return attribute("class", 's' + std::to_string(colors_.classOf(colors))) +
           attribute("stroke-width", width);
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

} // namespace

std::size_t PageColors::classOf(const Pair& pair) {
  const auto found = std::find(pairs_.begin(), pairs_.end(), pair);
  if (found != pairs_.end())
    return static_cast<std::size_t>(found - pairs_.begin());
  pairs_.push_back(pair);
  return pairs_.size() - 1;
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
