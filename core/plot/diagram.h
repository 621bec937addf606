// A diagram of boxes with names, groups in dashed frames, plain boxes, lines, dots and words: which
// matrices are multiplied in which order, how tokens are sorted by bucket, points on a circle.
#pragma once

#include "core/plot/display_list.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

// In units of the diagram, x right and y down.
struct DiagramBox {
  Box box;
  std::size_t hue = 0; // index into FigureColors::series
  std::string name;    // above it
  std::string shape;   // below it: "L × m"
  bool operator==(const DiagramBox&) const = default;
};

struct DiagramText {
  Point at; // on the middle of the line
  std::string text;
  TextAlign align = TextAlign::Left;
  bool bold = false;
  bool dim = false;
  double room = 0;    // units that it must fit into, or it is left out; 0: the available room
  bool onHue = false; // it stands on a filled box
  // Where it would overlap another such one, it moves down a little or is left out; beside the
  // diagram, where nothing moves, it is left out at once.
  bool yields = false;
  bool beside = false; // it stands to the right of the diagram, which makes room for it
  // Where it would touch an earlier one, it moves in this direction (a length of 1) until it does
  // not; {}: it stays.
  std::optional<Point> aside = {};
  bool shrinks = false; // in smaller type where it fits its room then
  double line = 0;      // units from its line to the next: it shrinks to these too; 0: any
  std::optional<std::size_t> size = {};  // index into DiagramMark::sizes, whose form is drawn
  std::vector<std::string> shorter = {}; // forms of `text`, from long to short
  bool operator==(const DiagramText&) const = default;
};

// The one size of several words: the largest type in which all of them have room, in the longest
// form that is not too small. None of them is drawn where even the shortest cannot be read.
struct DiagramSize {
  double room = 0;     // units of each word
  double line = 0;     // units from one line to the next
  double least = 0.75; // of the diagram's type, of all forms but the shortest
  // From long to short: the words of each form that may be the widest.
  std::vector<std::vector<std::string>> forms;
  bool bold = false;
};

// The colour of words on boxes: that of the background, that of text or a dim one; that of text too
// on a Shade, whose share is a value that is read from it.
enum class WordsOn { None, Ground, Text, Dim, Shade };

// Boxes of one colour without names, filled.
struct DiagramFill {
  std::vector<Box> boxes;
  std::size_t hue = 0;
  double share = 1;              // of the hue on the background; of the strongest Shade (color.h)
  WordsOn words = WordsOn::None; // darker or paler as far as its words need it
  bool operator==(const DiagramFill&) const = default;
};

// Cells of one size side by side without gaps, so many that they are drawn as an image.
struct DiagramRow {
  struct Cell {
    std::size_t hue = 0;
    double share = 1; // share of the hue on the background
    bool operator==(const Cell&) const = default;
  };
  Box box; // of the row
  std::vector<Cell> cells;
  bool operator==(const DiagramRow&) const = default;
};

struct DiagramLine {
  std::vector<Point> points;
  std::optional<std::size_t> hue = {}; // none: as frames
  double share = 1;
  double width = 1; // pixels at 13 pixels of type
  Dash dash = Dash::Solid;
  bool arrow = false; // a head at its end
  bool operator==(const DiagramLine&) const = default;
};

struct DiagramDot {
  Point at;
  std::optional<std::size_t> hue = {}; // none: as pins
  double radius = 4;                   // pixels at 13 pixels of type
  bool operator==(const DiagramDot&) const = default;
};

// Words on a line of their own below the diagram, centred in the whole available width.
struct DiagramFoot {
  std::vector<std::string> forms; // from long to short: the first that fits
  bool bold = false;
};

struct DiagramMark {
  double width = 1; // units
  double height = 1;
  std::vector<DiagramBox> boxes;
  std::vector<Box> groups; // dashed frames
  std::vector<DiagramText> texts;
  std::vector<DiagramRow> rows = {}; // below all else
  std::vector<DiagramFill> fills = {};
  std::vector<DiagramLine> lines = {};
  std::vector<DiagramDot> dots = {};
  DiagramFoot foot = {};
  double around = 0; // room on all sides, in sizes of type
  std::vector<DiagramSize> sizes = {};
};

} // namespace attention
