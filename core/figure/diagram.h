// A diagram of a few boxes with names, groups in dashed frames, and words: which matrices are
// multiplied in which order, say.
#pragma once

#include "core/figure/display_list.h"

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
  bool operator==(const DiagramText&) const = default;
};

struct DiagramMark {
  double width = 1; // units
  double height = 1;
  std::vector<DiagramBox> boxes;
  std::vector<Box> groups; // dashed frames
  std::vector<DiagramText> texts;
};

} // namespace attention
