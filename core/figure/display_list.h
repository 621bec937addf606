// A display list: a figure laid out, as what is drawn in order. Five primitives in one plane of
// pixels (x right, y down, units of 1/96 inch in files); each painter (cairo, TikZ, the window's
// ImDrawList) draws them and nothing else.
#pragma once

#include "core/figure/color.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
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

struct Line {
  Point from;
  Point to;
  Color color;
  double width = 1;
  bool operator==(const Line&) const = default;
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
  bool upwards = false; // turned a quarter about `at`, to be read from below
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

using Primitive2D = std::variant<FillBoxes, StrokeBox, Line, Text, Picture>;

struct DisplayList {
  Size size;
  Color ground; // fills everything first
  std::vector<Primitive2D> items;
  bool exact = true; // false where a picture among them shows sampled rows, as it says on itself
  bool operator==(const DisplayList&) const = default;
};

// Width of a line of text of `size` pixels, in pixels.
using TextMeasure = std::function<double(std::string_view text, double size, bool bold)>;

} // namespace attention
