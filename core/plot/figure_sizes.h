// How large the plots of a figure are and in which rows its panels stand: the plots as large as
// possible, or slightly smaller if that leaves the words around them whole.
#pragma once

#include "core/plot/arrange_words.h"
#include "core/plot/panel_rows.h"

#include <optional>

namespace attention {

constexpr double kFigureMargin = 1.1; // around the figure, of type

struct FigureSizes {
  Size size;             // of the figure
  double type = 13;      // size of type, pixels
  double titleType = 13; // of titles of panels
  bool names = false;    // whether axes show the labels of their tokens
  FigureWords words;
  PanelRows rows;
  double plotWidth = 0;  // of panels in columns
  double shapeWidth = 0; // that gives their heights: as much, unless curves are stretched

  // Curves that share the width of a row are as high as they would be in columns.
  Size ofPlot(const Plot& plot, const PanelRow& row) const;
  PanelWords wordsOf(const FigurePanel& panel, const PanelRow& row, std::size_t index,
                     std::size_t titleLines, const TextMeasure& measure) const;
  PanelRoom wordsRoom(const FigurePanel& panel, const PanelRow& row, std::size_t index) const;
  double leastWidth() const; // of panels
  bool haveRoom() const;     // the plots are not too small to be useful
};

// For `size`, or by default for the size that the figure fills without gaps. Where the plots cannot
// fit, the result gives them no room.
FigureSizes sizesOf(const Figure& figure, const std::optional<Size>& size,
                    const TextMeasure& measure);

} // namespace attention
