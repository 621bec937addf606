// A display list: a figure laid out as primitives, drawn in order. Seven primitives in one plane of
// pixels (x right, y down, units of 1/96 inch in files); each painter (cairo, TikZ, the window's
// ImDrawList) draws them and nothing else.
#pragma once

#include "core/plot/color.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attention {

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool operator==(const Box&) const = default;
};

struct Size {
  double width = 0;
  double height = 0;
  bool operator==(const Size&) const = default;
};

// Opaque pixels row by row, top left first.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<Color> pixels;
  bool operator==(const Image&) const = default;
};

// Boxes of one colour, filled; they do not overlap. They are given in units of their own, so that
// cells of a mask stay whole numbers: a box's place is origin + unit · box.
struct FillBoxes {
  std::vector<Box> boxes;
  Color color;
  Point origin;
  Size unit{1, 1};
  bool operator==(const FillBoxes&) const = default;
};

// The outline of a box, `width` wide and centred on its edge.
struct StrokeBox {
  Box box;
  Color color;
  double width = 1;
  bool operator==(const StrokeBox&) const = default;
};

// How a line is dashed.
enum class Dash { Solid, Dashed, Dotted, DashDotted };

// Alternating lengths drawn and skipped, in line widths; empty for a solid line.
std::span<const double> dashLengths(Dash dash);

// A line through points.
struct Polyline {
  std::vector<Point> points;
  Color color;
  double width = 1;
  Dash dash = Dash::Solid;
  bool operator==(const Polyline&) const = default;
};

// The area between two lines through points that have the same x in the same order: as many below
// as above.
struct Strip {
  std::vector<Point> above;
  std::vector<Point> below;
  Color color; // may let the background shine through
  bool operator==(const Strip&) const = default;
};

enum class MarkerShape { Circle, Square, Triangle, Diamond };

// How a point is marked, so that curves can be told apart without their colour.
struct Marker {
  MarkerShape shape = MarkerShape::Circle;
  bool hollow = false; // an outline, kOutline radii wide and centred on the shape's edge
  bool operator==(const Marker&) const = default;
};
constexpr double kOutline = 0.45;

// The corners of a marker around `centre` with the area of a disc of `radius`; none for a circle.
std::vector<Point> cornersOf(MarkerShape shape, const Point& centre, double radius);
// The marker of the k-th of several curves: 8 different ones.
Marker markerOf(std::size_t k);

// Markers of one kind and colour.
struct Markers {
  std::vector<Point> centres;
  double radius = 1;
  Color color;
  Marker marker = {};
  bool operator==(const Markers&) const = default;
};

enum class TextAlign { Left, Center, Right };

// One line of text. `at` is on the baseline, at the left end, the middle or the right end.
struct Text {
  Point at;
  std::string text; // UTF-8
  double size = 13; // of the type, pixels
  Color color;
  TextAlign align = TextAlign::Left;
  bool bold = false;
  bool upwards = false; // turned a quarter about `at`, to read upwards
  bool operator==(const Text&) const = default;
};

// An image stretched over a box; a pixel is a sharp-edged rectangle.
struct Picture {
  Box box;
  std::shared_ptr<const Image> image;
  friend bool operator==(const Picture& a, const Picture& b) {
    return a.box == b.box && (a.image == b.image || (a.image && b.image && *a.image == *b.image));
  }
};

using Primitive2D = std::variant<FillBoxes, StrokeBox, Polyline, Strip, Markers, Text, Picture>;

struct DisplayList {
  Size size;
  Color ground; // fills everything first
  std::vector<Primitive2D> items;
  bool exact = true; // false where a picture among them shows sampled rows, as it says on itself

  // `primitive`: one of the alternatives, constructed in place.
  template <class P>
  void add(P primitive) {
    items.emplace_back(std::in_place_type<P>, std::move(primitive));
  }
  bool operator==(const DisplayList&) const = default;
};

// Width of a line of text of `size` pixels, in pixels.
using TextMeasure = std::function<double(std::string_view text, double size, bool bold)>;

} // namespace attention
