// Where everything of a figure lies: boxes for titles, plots and legends, so that the plots are as
// large as they can be, aligned over all panels, and nothing overlaps.
#pragma once

#include "core/figure/figure.h"
#include "core/figure/text_fit.h"

#include <optional>
#include <string>
#include <vector>

namespace attention {

struct PanelBoxes {
  Box title;                      // the plot's width and what is free on both sides of it
  double middle = 0;              // of the plot
  std::vector<std::string> words; // of the title, by lines
  std::vector<Box> plots;         // what the marks fill; axes lie outside
  Box legend;
  // Lines of its entries; none of one that has no room.
  std::vector<std::vector<std::string>> entries;
  bool first = false; // leftmost: carries the axis of the queries
};

constexpr double kTitleType = 1.2;  // of the figure's title, of type
constexpr double kSwatchRoom = 1.4; // of type, before the words of a legend

// A legend entry: its swatch is a square of the size of type at the left of `at`'s line.
struct LegendPlace {
  Point at;
  LegendEntry entry;
};

struct Arrangement {
  Size size;
  double type = 13;   // size of type, pixels
  bool names = false; // whether axes show the labels of their tokens
  Box title;
  std::vector<std::string> heading; // the title, by lines
  std::vector<PanelBoxes> panels;
  std::vector<LegendPlace> legend;
  std::vector<std::string> caption; // lines, the first one's baseline at captionTop
  std::vector<std::string> source;
  double captionTop = 0;
};

// Fits the figure into `size`; without one, takes the size that the figure fills without gaps.
// Curves alone may be broader or higher than their shape. E_RANGE (size) where it is too
// small for axes and words.
Arrangement arrange(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure);

// Whether it is not.
bool hasRoom(const Figure& figure, const std::optional<Size>& size, const TextMeasure& measure);

// The figure, or the smaller one that it names where its plots would be hard to read in `size`.
const Figure& figureFor(const Figure& figure, const std::optional<Size>& size,
                        const TextMeasure& measure);

} // namespace attention
